import { recordedConsent, UNPAID_TOO_OFTEN } from '@fundrail/contracts';
import type { CreateMfPurchasePlan, Decimal, MfPurchasePlanDto, StepUp } from '@fundrail/contracts';
import type { Caller } from '@fundrail/service-kit/http';
import { amended, created, mfPurchasePlanMachine, type Decision } from '@fundrail/state-machines';
import type { MandateCopy } from '../mandate/mandate-rules.ts';
import { mandateCheckAt } from '../plan/plan-due.ts';
import { NOTHING_YET, tailOf } from '../plan/plan.ts';
import type { Plan, PlanOrigin, PlanStep } from '../plan/plan.ts';
import { nextAmount, stepUpOf, type StepUpTerms } from '../schedule/step-up.ts';

/** Creates a purchase plan (SIP-2). The caller has checked the account, its contacts, the last date and the mandate. */
export function createPurchasePlan(
  input: CreateMfPurchasePlan,
  origin: PlanOrigin & MandateCopy,
): Decision<Plan> {
  const { now, ...identity } = origin;
  const row: Plan = {
    ...NOTHING_YET,
    ...identity,
    kind: 'purchase',
    frequency: input.frequency,
    mf_investment_account: input.mf_investment_account,
    folio_number: input.folio_number ?? null,
    scheme: input.scheme,
    amount: input.amount,
    units: null,
    ...stepUpColumns(input.step_up ?? null),
    installment_day: input.installment_day ?? null,
    number_of_installments: input.number_of_installments,
    auto_generate: true,
    first_now: input.generate_first_installment_now ?? false,
    consent: input.consent ? recordedConsent(input.consent) : null,
    payment_method: input.payment_method ?? null,
    payment_source: input.payment_source ?? null,
    gateway: 'gatewaypoa',
    source_ref_id: null,
    purchase_ref_id: input.source_ref_id ?? null,
    purpose: input.purpose ?? null,
    initiated_by: input.initiated_by ?? null,
    initiated_via: input.initiated_via ?? null,
    euin: input.euin ?? null,
    partner: input.partner ?? null,
    user_ip: input.user_ip ?? null,
    server_ip: input.server_ip ?? null,
    created_at: now,
  };
  return created(mfPurchasePlanMachine, row);
}

/** The columns of a step-up, or of none. */
export function stepUpColumns(
  step: (Omit<StepUp, 'max_amount'> & { readonly max_amount?: Decimal | null | undefined }) | null,
): Pick<Plan, 'step_up_type' | 'step_up_value' | 'step_up_frequency' | 'step_up_max'> {
  return {
    step_up_type: step?.type ?? null,
    step_up_value: step?.value ?? null,
    step_up_frequency: step?.frequency ?? null,
    step_up_max: step?.max_amount ?? null,
  };
}

/** A purchase plan as the schedule of its amounts reads it. */
export function stepUpTerms(row: Plan): StepUpTerms {
  const { amount } = row;
  if (amount === null) throw new Error(`${row.id} is a purchase plan and has no amount`);
  return { ...row, amount };
}

/** The number of the step that the mandate's limit holds back from the next installment, or null. */
export function heldStepOf(terms: StepUpTerms): number | null {
  return nextAmount(terms).held ? terms.steps_passed + 1 : null;
}

/**
 * Publishes, once, that the next step is not taken because the mandate does not allow the amount (SIP-21). The check 3 days before the date
 * publishes it, so nothing is published earlier. A step that is not held any more may be published again.
 */
export function reportHeldStep(before: Plan, now: Date): PlanStep[] {
  // The consent of an earlier step is in the history already.
  const { agreed: _agreed, ...row } = before;
  if (row.kind !== 'purchase') return [];
  const held_step = heldStepOf(stepUpTerms(row));
  if (held_step === row.held_step) return [];
  const changes = { held_step };
  if (held_step === null) return [amended(mfPurchasePlanMachine, row, 'release_step_up', { changes })];
  if (row.next_date !== null && now < mandateCheckAt(row.next_date)) return [];
  const events = ['mf_purchase_plan.step_up_held'] as const;
  return [amended(mfPurchasePlanMachine, row, 'hold_step_up', { changes, events })];
}

/** Purchase plans as the caller is answered: clients of the upstream get `server_ip` too, which is null in events (COMP-6). */
export function purchasePlansOf({ compatibility }: Pick<Caller, 'compatibility'>): typeof toPurchasePlan {
  if (compatibility === null) return toPurchasePlan;
  return (row) => {
    const { server_ip } = row;
    return { ...toPurchasePlan(row), ...{ server_ip } };
  };
}

/** A purchase plan as GET returns it and as its events carry it (SIP-5). */
export function toPurchasePlan(row: Plan): MfPurchasePlanDto {
  const terms = stepUpTerms(row);
  const next = nextAmount(terms);
  return {
    object: 'mf_purchase_plan',
    id: row.id,
    old_id: row.old_id,
    state: row.state,
    systematic: true,
    frequency: row.frequency,
    installment_day: row.installment_day,
    mf_investment_account: row.mf_investment_account,
    folio_number: row.folio_number,
    scheme: row.scheme,
    amount: row.last_amount ?? terms.amount,
    step_up: stepUpOf(row),
    next_installment_amount: row.next_date === null ? null : next.amount,
    held_step_up: next.held,
    number_of_installments: row.number_of_installments,
    remaining_installments: row.number_of_installments - row.made,
    start_date: row.start_date,
    end_date: row.end_date,
    next_installment_date: row.next_date,
    previous_installment_date: row.previous_date,
    paused_until: row.next_date === null ? null : row.paused_until,
    auto_generate_installments: true,
    consent: row.consent,
    purpose: row.purpose,
    payment_method: row.payment_method,
    payment_source: row.payment_source === null ? null : String(row.payment_source),
    consecutive_failed_installments: row.consecutive_failed,
    gateway: row.gateway,
    source_ref_id: row.purchase_ref_id,
    euin: row.euin,
    partner: row.partner,
    user_ip: row.user_ip,
    initiated_by: row.initiated_by,
    initiated_via: row.initiated_via,
    cancellation_code: row.cancellation_code,
    auto_cancelled: row.cancellation_code === UNPAID_TOO_OFTEN,
    reason: row.reason,
    ...tailOf(row),
  };
}
