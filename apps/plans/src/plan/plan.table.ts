import type { Consent, MfRedemptionPlanDto } from '@fundrail/contracts';
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

/** The terms and the state of a plan. Generation reads `installment_head` and writes nothing here. */
export const REDEMPTION_PLANS = defineTable('redemption_plans', {
  id: text().primary(),
  old_id: bigint(),
  tenant: text(),
  /** The owner of the investment account; the mandate must have the same owner. */
  investor_profile: text(),
  mf_investment_account: text(),
  folio_number: text().nullable(),
  scheme: text(),
  /** Rupees of each installment. When `units` is null too, each installment redeems everything. */
  amount: numeric().nullable(),
  units: numeric().nullable(),
  installment_day: integer(),
  number_of_installments: integer(),
  auto_generate: boolean(),
  first_now: boolean(),
  payment_method: text<'mandate'>().nullable(),
  payment_source: bigint().nullable(),
  gateway: text<'gatewaypoa'>(),
  source_ref_id: text().nullable(),
  euin: text().nullable(),
  partner: text().nullable(),
  user_ip: text().nullable(),
  created_at: timestamptz(),

  state: text<MfRedemptionPlanState>().bySteps(),
  consent: jsonb<Consent>().nullable().bySteps(),
  /** The fields that every installment of the plan shares, as JSON without its closing brace. Set when the plan is confirmed. */
  installment_head: text().nullable().bySteps(),
  /** IST dates, nominal; set when the plan becomes active. */
  start_date: date().nullable().bySteps(),
  end_date: date().nullable().bySteps(),
  cancellation_code: text<NonNullable<MfRedemptionPlanDto['cancellation_code']>>().nullable().bySteps(),
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
  number_of_installments: integer(),
  /** The number of the plan's last event. */
  event_seq: integer().bySteps(),
  /** Installments generated so far. */
  made: integer().bySteps(),
  /** The first date on the plan's day of the month (`schedule.ts`). Set when the plan becomes active. */
  first_by_day: date().nullable().bySteps(),
  next_nominal: date().nullable().bySteps(),
  next_date: date().nullable().bySteps(),
  generate_at: timestamptz().nullable().bySteps(),
  previous_date: date().nullable().bySteps(),
  /** The dates that skip instructions take out. */
  skips: datemultirange().aside(),
});

/** A plan: a row of `redemption_plans`, its row of `plan_courses`, and the years whose holidays are known. */
export interface Plan
  extends RowOf<typeof REDEMPTION_PLANS>, Omit<RowOf<typeof PLAN_COURSES>, 'plan_id' | 'skips'> {
  /** The years for which a holiday list is known. */
  readonly known_years: readonly number[];
}
