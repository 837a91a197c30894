import { UNPAID_TOO_OFTEN, type PlanFrequency } from '@fundrail/contracts';
import { parametersAt } from '@fundrail/policies';
import { amended, mfPurchasePlanMachine, transition } from '@fundrail/state-machines';
import { complete, NO_NEXT, type Plan, type PlanStep } from '../plan/plan.ts';

/** How an installment ended, as far as its plan counts it (SIP-16, SIP-17). */
export type InstallmentOutcome = 'successful' | 'unpaid' | 'other';

/** The failures of purchases that were not paid. Others are refusals, which do not count. */
const UNPAID_CODES: readonly (string | null)[] = [
  'mandate_payment_failed',
  'order_expiry',
  'payment_url_unused',
];
const RARE: readonly PlanFrequency[] = ['quarterly', 'half_yearly', 'yearly'];

/** The outcome of a purchase that has ended. */
export function outcomeOf({
  state,
  failure_code,
}: {
  readonly state: string;
  readonly failure_code: string | null;
}): InstallmentOutcome {
  // A reversal is of money that was collected, and may come long after later installments were judged (SIP-17).
  if (state === 'successful' || state === 'reversed') return 'successful';
  return state === 'failed' && UNPAID_CODES.includes(failure_code) ? 'unpaid' : 'other';
}

/** After how many unpaid installments in a row a plan ends: L. One fewer may be skipped in a row. */
export function failuresAllowed({ frequency }: Pick<Plan, 'frequency'>, now: Date): number {
  const { failures, failures_quarterly_or_longer } = parametersAt('sip_auto_cancellation', now);
  return RARE.includes(frequency) ? failures_quarterly_or_longer : failures;
}

/** What the plan's rows say after an end. */
export interface CountedEnd {
  readonly outcome: InstallmentOutcome;
  /** Unpaid installments with numbers above that of the last successful one. */
  readonly failed: number;
  /** The folio of a successful purchase. */
  readonly folio_number: string | null;
  readonly isAnyOpen: boolean;
}

/** The steps of a purchase plan, one of whose installments has ended: count, folio, and perhaps the plan's own end. */
export function stepsAfterEnd(before: Plan, end: CountedEnd, now: Date): PlanStep[] {
  const steps: PlanStep[] = [];
  const row = () => steps.at(-1)?.row ?? before;
  const { outcome, failed: consecutive_failed } = end;
  if (outcome === 'unpaid')
    steps.push(
      amended(mfPurchasePlanMachine, row(), 'fail_installment', {
        changes: { consecutive_failed },
        events: ['mf_purchase_plan.installment_failed'],
      }),
    );
  else if (consecutive_failed !== before.consecutive_failed)
    steps.push(amended(mfPurchasePlanMachine, row(), 'count_failures', { changes: { consecutive_failed } }));
  if (outcome === 'successful' && before.folio_number === null && end.folio_number !== null)
    steps.push(
      amended(mfPurchasePlanMachine, row(), 'learn_folio', {
        changes: { folio_number: end.folio_number },
        events: ['mf_purchase_plan.updated'],
      }),
    );
  const ended = endOfPlan(row(), end, now);
  return ended ? [...steps, ended] : steps;
}

function endOfPlan(row: Plan, { failed, isAnyOpen }: CountedEnd, now: Date): PlanStep | null {
  if (row.state !== 'active') return null;
  if (row.made === row.number_of_installments) return isAnyOpen ? null : complete(row, now);
  if (failed < failuresAllowed(row, now)) return null;
  return transition(mfPurchasePlanMachine, row, 'auto_cancel', {
    ...NO_NEXT,
    cancellation_code: UNPAID_TOO_OFTEN,
    // A mandate's trouble is over with the plan.
    reason: null,
    cancelled_at: now,
  });
}
