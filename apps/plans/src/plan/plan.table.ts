import type { Consent, MfPurchasePlanDto, PlanFrequency, StepUp } from '@fundrail/contracts';
import {
  bigint,
  boolean,
  date,
  datemultirange,
  defineTable,
  integer,
  jsonb,
  numeric,
  text,
  timestamptz,
  type RowOf,
} from '@fundrail/persistence';
import type { MfRedemptionPlanState } from '@fundrail/state-machines';

/** What a plan's installments are. */
export type PlanKind = 'redemption' | 'purchase';

/** The terms and the state of a plan of either kind. Generation reads `installment_head` and writes nothing here. */
export const REDEMPTION_PLANS = defineTable('redemption_plans', {
  id: text().primary(),
  old_id: bigint(),
  tenant: text(),
  kind: text<PlanKind>(),
  frequency: text<PlanFrequency>(),
  /** The owner of the investment account; the mandate must have the same owner. */
  investor_profile: text(),
  mf_investment_account: text(),
  folio_number: text().nullable().bySteps(),
  scheme: text(),
  /** Rupees of each redemption. When `units` is null too, each installment redeems everything. A purchase plan's is in its course. */
  amount: numeric().nullable(),
  units: numeric().nullable(),
  installment_day: integer().nullable(),
  number_of_installments: integer(),
  auto_generate: boolean(),
  first_now: boolean(),
  payment_method: text<'mandate'>().nullable().bySteps(),
  payment_source: bigint().nullable().bySteps(),
  gateway: text<'gatewaypoa'>(),
  source_ref_id: text().nullable(),
  /** A purchase plan's `source_ref_id`, apart, because each kind has references of its own. */
  purchase_ref_id: text().nullable(),
  purpose: text<NonNullable<MfPurchasePlanDto['purpose']>>().nullable(),
  initiated_by: text<NonNullable<MfPurchasePlanDto['initiated_by']>>().nullable(),
  initiated_via: text<NonNullable<MfPurchasePlanDto['initiated_via']>>().nullable(),
  euin: text().nullable(),
  partner: text().nullable(),
  user_ip: text().nullable(),
  /** The address of the client's server. Of purchase plans only, and only clients of the upstream are answered it (COMP-6). */
  server_ip: text().nullable(),
  created_at: timestamptz(),

  state: text<MfRedemptionPlanState>().bySteps(),
  consent: jsonb<Consent>().nullable().bySteps(),
  /** The fields that every installment of the plan shares, as JSON without its closing brace. Set when the plan is confirmed. */
  installment_head: text().nullable().bySteps(),
  /** IST dates, nominal; set when the plan becomes active. */
  start_date: date().nullable().bySteps(),
  end_date: date().nullable().bySteps(),
  cancellation_code: text<NonNullable<MfPurchasePlanDto['cancellation_code']>>().nullable().bySteps(),
  /** Unpaid installments above the last successful one (SIP-17). */
  consecutive_failed: integer().bySteps(),
  reason: text().nullable().bySteps(),
  review_completed_at: timestamptz().nullable().bySteps(),
  confirmed_at: timestamptz().nullable().bySteps(),
  submitted_at: timestamptz().nullable().bySteps(),
  activated_at: timestamptz().nullable().bySteps(),
  completed_at: timestamptz().nullable().bySteps(),
  cancelled_at: timestamptz().nullable().bySteps(),
  failed_at: timestamptz().nullable().bySteps(),

  /** Since when the gateway's answers have not been understood; null when the last one was. */
  unanswered_since: timestamptz().nullable().aside(),
});

/** The part of a plan that each installment changes, apart from the rest so that generation writes a small row. */
export const PLAN_COURSES = defineTable('plan_courses', {
  plan_id: text().primary(),
  tenant: text(),
  kind: text<PlanKind>(),
  frequency: text<PlanFrequency>(),
  number_of_installments: integer(),
  /** The number of the plan's last event. */
  event_seq: integer().bySteps(),
  /** Installments generated so far. */
  made: integer().bySteps(),
  /** The first date on the plan's day (`schedule.ts`). Set when the plan becomes active. */
  first_by_day: date().nullable().bySteps(),
  next_nominal: date().nullable().bySteps(),
  next_date: date().nullable().bySteps(),
  generate_at: timestamptz().nullable().bySteps(),
  previous_date: date().nullable().bySteps(),
  /**
   * What a change of a purchase plan may concern, because generation reads it under this row's lock: rupees before the next step, the
   * mandate and the most that it allows, and the folio. The step-up is `StepUp`.
   */
  amount: numeric().nullable().bySteps(),
  payment_source: bigint().nullable().bySteps(),
  mandate_limit: numeric().nullable().bySteps(),
  /** The mandate's event up to which its limit is known; null when mandates did not state it. */
  mandate_seq: integer().nullable().bySteps(),
  folio_number: text().nullable().bySteps(),
  step_up_type: text<StepUp['type']>().nullable().bySteps(),
  step_up_value: numeric().nullable().bySteps(),
  step_up_frequency: text<StepUp['frequency']>().nullable().bySteps(),
  step_up_max: numeric().nullable().bySteps(),
  /** The steps whose date has passed, taken or held. */
  steps_passed: integer().bySteps(),
  /** The last step that was published as held (SIP-21), by its number; null once it is not held any more. */
  held_step: integer().nullable().bySteps(),
  /** Rupees of the last installment made. */
  last_amount: numeric().nullable().bySteps(),
  /** The dates that skip instructions take out. */
  skips: datemultirange().aside(),
});

/** The change of an active purchase plan that its investor has agreed to. It goes into the history. */
interface AgreedChange {
  readonly consent: Consent;
  readonly terms: object;
}

/** A plan: a row of `redemption_plans`, its row of `plan_courses`, and what is read with them. */
export interface Plan
  extends RowOf<typeof REDEMPTION_PLANS>, Omit<RowOf<typeof PLAN_COURSES>, 'plan_id' | 'skips'> {
  /** The years for which a holiday list is known. */
  readonly known_years: readonly number[];
  /** The last day of the skip range that holds the next date. */
  readonly paused_until: string | null;
  /** Only after the step that makes the change. */
  readonly agreed?: AgreedChange;
}
