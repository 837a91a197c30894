import type { Consent, Decimal, MfRedemptionPlanDto } from '@fundrail/contracts';
import type { MfRedemptionPlanState } from '@fundrail/state-machines';

/** A plan: a row of `redemption_plans`, its row of `plan_courses`, and the years whose holidays are known. */
export interface Plan {
  readonly id: string;
  readonly old_id: number;
  readonly tenant: string;
  /** The owner of the investment account; the mandate must have the same owner. */
  readonly investor_profile: string;
  readonly mf_investment_account: string;
  readonly folio_number: string | null;
  readonly scheme: string;
  /** Rupees of each installment. When `units` is null too, each installment redeems everything. */
  readonly amount: Decimal | null;
  readonly units: Decimal | null;
  readonly installment_day: number;
  readonly number_of_installments: number;
  readonly auto_generate: boolean;
  readonly first_now: boolean;
  readonly payment_method: 'mandate' | null;
  readonly payment_source: number | null;
  readonly gateway: 'gatewaypoa';
  readonly source_ref_id: string | null;
  readonly euin: string | null;
  readonly partner: string | null;
  readonly user_ip: string | null;
  readonly created_at: Date;

  readonly state: MfRedemptionPlanState;
  readonly consent: Consent | null;
  /** The fields that every installment of the plan shares, as JSON without its closing brace. Set when the plan is confirmed. */
  readonly installment_head: string | null;
  /** IST dates, nominal; set when the plan becomes active. */
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly cancellation_code: MfRedemptionPlanDto['cancellation_code'];
  readonly reason: string | null;
  readonly review_completed_at: Date | null;
  readonly confirmed_at: Date | null;
  readonly submitted_at: Date | null;
  readonly activated_at: Date | null;
  readonly completed_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly failed_at: Date | null;

  /** The number of the plan's last event. */
  readonly event_seq: number;
  /** Installments generated so far. */
  readonly made: number;
  /** The first date on the plan's day of the month (`schedule.ts`). Set when the plan becomes active. */
  readonly first_by_day: string | null;
  readonly next_nominal: string | null;
  readonly next_date: string | null;
  readonly generate_at: Date | null;
  readonly previous_date: string | null;

  /** Since when the gateway's answers have not been understood; null when the last one was. */
  readonly unanswered_since: Date | null;
  /** The years for which a holiday list is known. */
  readonly known_years: readonly number[];
}
