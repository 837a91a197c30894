import {
  ApiError,
  istDate,
  istTimestamp,
  recordedConsent,
  stringifyJson,
  UNPAID_TOO_OFTEN,
  type CancelMfRedemptionPlan,
  type ConsentInput,
  type CreateMfRedemptionPlan,
  type MfRedemptionPlanDto,
  type PatchMfRedemptionPlan,
} from '@fundrail/contracts';
import { amended, apply, created, transition } from '@fundrail/state-machines';
import { mfPurchasePlanMachine, mfRedemptionPlanMachine } from '@fundrail/state-machines';
import type { Decision } from '@fundrail/state-machines';
import { yearRanges, unknownYears } from '../calendar/business-days.ts';
import type { MandateReason } from '../mandate/mandate-rules.ts';
import { scheduleFrom } from '../schedule/schedule.ts';
import type { Plan } from './plan.table.ts';

export type { Plan } from './plan.table.ts';
export type PlanStep = Decision<Plan>;

/** What the caller of a creation has looked up. */
export interface PlanOrigin {
  readonly id: string;
  readonly old_id: number;
  readonly tenant: string;
  readonly investor_profile: string;
  readonly known_years: readonly number[];
  readonly now: Date;
}

/** A day of the business calendar: where it moves to, and when its installments are generated. */
export interface CalendarDay {
  readonly day: string;
  readonly moved: string;
  readonly generate_at: Date;
}

/** The day of the first installment, and the last date of a `daily` plan, which only the calendar gives. */
export interface FirstDay extends CalendarDay {
  readonly last?: string;
}

/** The machine of the plan's kind. A purchase plan has one trigger more. */
export function machineOf({ kind }: Pick<Plan, 'kind'>): typeof mfRedemptionPlanMachine {
  return kind === 'purchase' ? mfPurchasePlanMachine : mfRedemptionPlanMachine;
}

/** How long before 00:05 of its date an installment is generated: its mandate's notice needs a day (SIP-12). */
export function leadDays({ kind, payment_source }: Pick<Plan, 'kind' | 'payment_source'>): 0 | 1 {
  return kind === 'purchase' && payment_source !== null ? 1 : 0;
}

/** When an installment of that day is generated. */
function generationTime(row: Plan, { generate_at }: Pick<CalendarDay, 'generate_at'>): Date {
  return new Date(generate_at.getTime() - leadDays(row) * DAY_MS);
}

const DAY_MS = 86_400_000;
export const NO_NEXT = { next_nominal: null, next_date: null, generate_at: null } as const;
export const NOTHING_YET = {
  ...NO_NEXT,
  state: mfRedemptionPlanMachine.initial,
  installment_head: null,
  first_by_day: null,
  start_date: null,
  end_date: null,
  cancellation_code: null,
  reason: null,
  review_completed_at: null,
  confirmed_at: null,
  submitted_at: null,
  activated_at: null,
  completed_at: null,
  cancelled_at: null,
  failed_at: null,
  event_seq: 0,
  made: 0,
  previous_date: null,
  unanswered_since: null,
  consecutive_failed: 0,
  ...{ mandate_limit: null, mandate_seq: null },
  step_up_type: null,
  step_up_value: null,
  step_up_frequency: null,
  step_up_max: null,
  steps_passed: 0,
  held_step: null,
  last_amount: null,
  paused_until: null,
  server_ip: null,
} as const satisfies Partial<Plan>;

/** Creates a redemption plan (PLAN-2). The caller has checked the account, its contacts and the mandate. */
export function createPlan(input: CreateMfRedemptionPlan, origin: PlanOrigin): Decision<Plan> {
  const { now, ...identity } = origin;
  const row: Plan = {
    ...NOTHING_YET,
    ...identity,
    kind: 'redemption',
    frequency: 'monthly',
    mf_investment_account: input.mf_investment_account,
    folio_number: input.folio_number ?? null,
    scheme: input.scheme,
    amount: input.amount ?? null,
    units: input.units ?? null,
    installment_day: input.installment_day,
    number_of_installments: input.number_of_installments,
    auto_generate: input.auto_generate_installments ?? true,
    first_now: input.generate_first_installment_now ?? false,
    consent: input.consent ? recordedConsent(input.consent) : null,
    payment_method: input.payment_method ?? null,
    payment_source: input.payment_source ?? null,
    gateway: 'gatewaypoa',
    source_ref_id: input.source_ref_id ?? null,
    ...{ purchase_ref_id: null, purpose: null, initiated_by: null, initiated_via: null },
    euin: input.euin ?? null,
    partner: input.partner ?? null,
    user_ip: input.user_ip ?? null,
    created_at: now,
  };
  return created(mfRedemptionPlanMachine, row);
}

/** A plan with consent is then confirmed automatically (PLAN-7). */
export function passReview(row: Plan, now: Date): PlanStep[] {
  const reviewed = transition(machineOf(row), row, 'pass_review', { review_completed_at: now });
  return row.consent ? [reviewed, confirm(reviewed.row, now)] : [reviewed];
}

export function failReview(row: Plan, code: string, now: Date): PlanStep {
  return transition(machineOf(row), row, 'fail_review', { reason: code, failed_at: now });
}

/** Records the consent, once, while the plan waits for its confirmation. Throws `IllegalTransition`, then `CONSENT_ALREADY_SET`. */
export function recordConsent(row: Plan, consent: ConsentInput): PlanStep {
  apply(machineOf(row), row.state, 'confirm');
  if (row.consent)
    throw new ApiError('CONSENT_ALREADY_SET', `${row.id} already has a consent, which is write-once`);
  return amended(machineOf(row), row, 'record_consent', {
    changes: { consent: recordedConsent(consent) },
  });
}

/** Throws `IllegalTransition`, then `CONSENT_MISSING`. From now on the fields that its installments share are fixed. */
export function confirm(row: Plan, now: Date): PlanStep {
  apply(machineOf(row), row.state, 'confirm');
  if (!row.consent) throw new ApiError('CONSENT_MISSING', `${row.id} has no consent`);
  const installment_head = headOf(row);
  return transition(machineOf(row), row, 'confirm', { installment_head, confirmed_at: now });
}

/** What a PATCH of a plan of either kind may do before it is submitted: record the consent, confirm, or both. Throws as these do. */
export function consentAndConfirm(
  row: Plan,
  { consent, state }: Pick<PatchMfRedemptionPlan, 'consent' | 'state'>,
  now: Date,
): PlanStep[] {
  const recorded = consent ? [recordConsent(row, consent)] : [];
  return state ? [...recorded, confirm(recorded[0]?.row ?? row, now)] : recorded;
}

export function submit(row: Plan, now: Date): PlanStep {
  return transition(machineOf(row), row, 'submit', { submitted_at: now });
}

/** The nominal date of the first installment of a plan that becomes active now. */
export function firstNominal(row: Plan, now: Date): string {
  return scheduleFrom(row, istDate(now)).start_date;
}

/** `first` is the calendar's day of `firstNominal`. A first installment "now" is generated immediately, on any day. */
export function activate(row: Plan, first: FirstDay, now: Date): PlanStep {
  const next = row.first_now
    ? { next_nominal: first.day, next_date: first.day, generate_at: now }
    : { next_nominal: first.day, next_date: first.moved, generate_at: generationTime(row, first) };
  return transition(machineOf(row), row, 'activate', {
    ...scheduleFrom(row, istDate(now)),
    ...(first.last !== undefined && { start_date: next.next_date, end_date: first.last }),
    ...(row.auto_generate ? next : NO_NEXT),
    activated_at: now,
  });
}

export function rejectSubmission(row: Plan, code: string, now: Date): PlanStep {
  return transition(machineOf(row), row, 'reject_submission', { reason: code, failed_at: now });
}

/** Generated installments continue. Nothing more is generated, not even what is overdue. */
export function cancel(row: Plan, asked: CancelMfRedemptionPlan, now: Date): PlanStep {
  return transition(machineOf(row), row, 'cancel', {
    ...NO_NEXT,
    cancellation_code: asked.cancellation_code,
    reason: asked.cancellation_reason ?? null,
    cancelled_at: now,
  });
}

/** Null while an installment is still to come. The caller has checked that none is open. */
export function complete(row: Plan, now: Date): PlanStep | null {
  if (row.state !== 'active' || row.made < row.number_of_installments) return null;
  return transition(machineOf(row), row, 'complete', { reason: null, completed_at: now });
}

/** The caller has drawn the next installment of a plan without automatic generation. Its event is published later. */
export function countDrawn(row: Plan, date: string): PlanStep {
  const changes = { made: row.made + 1, previous_date: date };
  return amended(mfRedemptionPlanMachine, row, 'draw_installment', { changes });
}

/** Records that the mandate cannot collect, with the reason, for publication. */
export function markMandateUnusable(row: Plan, reason: MandateReason): PlanStep {
  return amended(machineOf(row), row, 'mandate_unusable', {
    changes: { reason },
    events: [`mf_${row.kind}_plan.mandate_unusable`],
  });
}

/**
 * The fields of `planInstallment`, or of `purchaseInstallment`, before those that differ between installments; the generation statement writes the rest. The
 * investor's contacts are among the rest, because a skipped installment has none.
 */
function headOf(row: Plan): string {
  const { id: plan, mf_investment_account, folio_number, scheme, amount, units, gateway } = row;
  const { payment_method, payment_source, euin, partner } = row;
  if (row.kind === 'purchase')
    return stringifyJson({
      ...{ plan, account: mf_investment_account, investor_profile: row.investor_profile },
      ...{ scheme, euin, partner },
    }).slice(0, -1);
  const head = {
    ...{ plan, mf_investment_account, folio_number, scheme, amount, units, gateway },
    ...{ payment_method, payment_source, euin, partner, initiated_by: 'system' },
  };
  return stringifyJson(head).slice(0, -1);
}

/** A warning while the holidays of a year with future installments of the plan are not known (CONV-34). */
export function calendarWarning(row: Plan): string | null {
  if (!row.next_nominal || !row.end_date) return null;
  const years = unknownYears(row.next_nominal, row.end_date, row.known_years);
  if (years.length === 0) return null;
  return `The holidays of ${yearRanges(years)} are not known yet. In such a year, only weekends and the fixed national holidays move an installment's date.`;
}

/** The last fields of a plan of either kind, as GET and events have them. */
export function tailOf(row: Plan) {
  return {
    calendar_warning: calendarWarning(row),
    created_at: istTimestamp(row.created_at),
    review_completed_at: istTimestamp(row.review_completed_at),
    confirmed_at: istTimestamp(row.confirmed_at),
    submitted_at: istTimestamp(row.submitted_at),
    activated_at: istTimestamp(row.activated_at),
    completed_at: istTimestamp(row.completed_at),
    cancelled_at: istTimestamp(row.cancelled_at),
    failed_at: istTimestamp(row.failed_at),
  };
}

/** A redemption plan as GET returns it and as its events carry it (PLAN-5). */
export function toPlan(row: Plan): MfRedemptionPlanDto {
  return {
    object: 'mf_redemption_plan',
    id: row.id,
    old_id: row.old_id,
    state: row.state,
    systematic: true,
    frequency: 'monthly',
    // Only a `daily` plan has none, and that is a purchase plan.
    installment_day: Number(row.installment_day),
    mf_investment_account: row.mf_investment_account,
    folio_number: row.folio_number,
    scheme: row.scheme,
    amount: row.amount,
    units: row.units,
    number_of_installments: row.number_of_installments,
    remaining_installments: row.number_of_installments - row.made,
    start_date: row.start_date,
    end_date: row.end_date,
    next_installment_date: row.next_date,
    previous_installment_date: row.previous_date,
    auto_generate_installments: row.auto_generate,
    consent: row.consent,
    payment_method: row.payment_method,
    payment_source: row.payment_source === null ? null : String(row.payment_source),
    gateway: row.gateway,
    source_ref_id: row.source_ref_id,
    euin: row.euin,
    partner: row.partner,
    user_ip: row.user_ip,
    cancellation_code: row.cancellation_code === UNPAID_TOO_OFTEN ? null : row.cancellation_code,
    reason: row.reason,
    ...tailOf(row),
  };
}
