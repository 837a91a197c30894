import {
  addDays,
  ApiError,
  istDate,
  recordedConsent,
  stepUpFault,
  ValidationFailed,
} from '@fundrail/contracts';
import type { Decimal, PatchMfPurchasePlan, StepUp } from '@fundrail/contracts';
import { amended, mfPurchasePlanMachine } from '@fundrail/state-machines';
import { isOlder, type MandateCopy } from '../mandate/mandate-rules.ts';
import { consentAndConfirm, type Plan, type PlanStep } from '../plan/plan.ts';
import { nominalDate } from '../schedule/schedule.ts';
import { stepsUntil, stepUpOf } from '../schedule/step-up.ts';
import { reportHeldStep, stepUpColumns, stepUpTerms } from './purchase-plan.ts';

/** A mandate that the caller has checked for the plan's investor, and the most that it allows. */
export interface ChosenMandate extends MandateCopy {
  readonly payment_source: number;
  readonly mandate_limit: Decimal;
}

const UPDATED = ['mf_purchase_plan.updated'] as const;
const DAY_MS = 86_400_000;

/**
 * The steps of a PATCH (SIP-9). Throws 409 when the plan's state does not take this change, 400 when the terms do not fit, and 422 above
 * the mandate's limit.
 */
export function changesOf(
  row: Plan,
  { id: _id, ...patch }: PatchMfPurchasePlan,
  mandate: ChosenMandate | null,
  now: Date,
): PlanStep[] {
  const { consent, state, ...terms } = patch;
  const isRepriced = terms.amount !== undefined || terms.step_up !== undefined;
  if (!isRepriced && !mandate) return consentAndConfirm(row, { consent, state }, now);
  if (!consent) return [chooseMandate(row, mandate)];
  if (!(mandate && isAgreed(row))) mustBeActive(row);
  const agreed = { consent: recordedConsent(consent), terms };
  const [reason, changes] = mandate
    ? (['change_mandate', mandateColumns(row, mandate)] as const)
    : (['change_amount', pricedAgain(row, terms, now)] as const);
  const step = amended(mfPurchasePlanMachine, row, reason, {
    changes: { ...changes, agreed },
    events: UPDATED,
  });
  return [step, ...reportHeldStep(step.row, now)];
}

/** Whether the investor has agreed to the terms of a plan that is not confirmed yet. */
function isAgreed(row: Plan): boolean {
  return (row.state === 'created' || row.state === 'review_completed') && row.consent !== null;
}

/** Without a consent of its own, the mandate is under the plan's, which is still to come. */
function chooseMandate(row: Plan, mandate: ChosenMandate | null): PlanStep {
  if (row.state === 'active' || isAgreed(row))
    throw new ValidationFailed([
      { field: 'consent', message: 'is required: the investor agrees to the change' },
    ]);
  if (!mandate || (row.state !== 'created' && row.state !== 'review_completed'))
    throw illegal(
      row,
      'its mandate changes only before it is confirmed, or with a consent once it is active',
    );
  const changes = mandateColumns(row, mandate);
  return amended(mfPurchasePlanMachine, row, 'change_mandate', { changes, events: UPDATED });
}

/** A mandate that is added moves the generation to the day before; in the past, it is due at once (SIP-12). */
function mandateColumns(row: Plan, asked: ChosenMandate) {
  const { generate_at, payment_source, first_now, made, mandate_limit, mandate_seq } = row;
  // The plan may know a newer limit of the same mandate.
  const isOld = asked.payment_source === payment_source && isOlder(asked, row);
  const mandate = isOld && mandate_limit ? { ...asked, mandate_limit, mandate_seq } : asked;
  withinLimit(stepUpTerms(row).amount, mandate.mandate_limit);
  const isEarlier = generate_at !== null && payment_source === null && !(first_now && made === 0);
  return {
    ...mandate,
    payment_method: 'mandate' as const,
    reason: null,
    ...(isEarlier && { generate_at: new Date(generate_at.getTime() - DAY_MS) }),
  };
}

function pricedAgain(row: Plan, asked: Pick<PatchMfPurchasePlan, 'amount' | 'step_up'>, now: Date) {
  const amount = asked.amount ?? stepUpTerms(row).amount;
  if (row.mandate_limit) withinLimit(amount, row.mandate_limit);
  const step = asked.step_up === undefined ? stepUpOf(row) : asked.step_up;
  const fault = step && stepUpFault({ frequency: row.frequency, amount }, step);
  if (fault)
    throw new ValidationFailed([
      asked.step_up ? fault : { field: 'amount', message: 'must be below the max_amount of the step-up' },
    ]);
  // The amount that the mandate did not allow is replaced.
  const reason = row.reason === 'mandate_limit_exceeded' ? null : row.reason;
  if (asked.step_up === undefined) return { amount, reason };
  return {
    amount,
    reason,
    ...stepUpColumns(step),
    steps_passed: step ? passedBefore(row, step.frequency, now) : 0,
  };
}

/** The steps of the grid that lie before today and before the next installment, or that an installment already made would have taken. */
function passedBefore(row: Plan, frequency: StepUp['frequency'], now: Date): number {
  const { first_by_day, start_date, made, next_nominal } = row;
  if (first_by_day === null || start_date === null) return 0;
  const today = istDate(now);
  const passed = addDays(next_nominal !== null && next_nominal < today ? next_nominal : today, -1);
  const lastMade = made === 0 ? passed : nominalDate({ first_by_day, start_date }, made, row.frequency);
  return stepsUntil(lastMade > passed ? lastMade : passed, first_by_day, frequency);
}

function withinLimit(amount: Decimal, limit: Decimal): void {
  if (amount.compare(limit) > 0)
    throw new ApiError('MANDATE_LIMIT_EXCEEDED', `the mandate allows at most ${limit.toFixed2()}`);
}

function mustBeActive(row: Plan): void {
  if (row.state !== 'active') throw illegal(row, 'its terms change only while it is "active"');
}

function illegal({ id, state }: Plan, why: string): ApiError {
  return new ApiError('ILLEGAL_TRANSITION', `${id} is "${state}": ${why}`);
}
