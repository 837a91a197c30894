import type { Consent, MfOrderState, SchemeCategory } from '@fundrail/contracts';
import {
  bigint,
  boolean,
  date,
  defineTable,
  integer,
  jsonb,
  numeric,
  text,
  timestamptz,
  type RowOf,
} from '@fundrail/persistence';

/**
 * A row of `mf_orders`: a purchase or a redemption. Fields have the names of the columns and of the API (ORD-14); those that the
 * API does not have are documented. Amounts are in rupees, timestamps are instants, dates are IST.
 */
export const MF_ORDERS = defineTable('mf_orders', {
  old_id: bigint().primary(),
  id: text(),
  tenant: text(),
  kind: text<'purchase' | 'redemption'>(),
  mf_investment_account: text(),
  /** The account's primary investor, stored here so that a claim needs no other service. Null on an installment until it is needed. */
  investor_profile: text().nullable(),
  scheme: text(),
  folio_number: text().nullable().bySteps(),
  state: text<MfOrderState>().bySteps(),
  type: text<'fresh' | 'additional' | 'amount' | 'units' | 'all'>(),
  amount: numeric().nullable(),
  units: numeric().nullable(),
  gateway: text<'gatewaypoa'>(),
  plan: text().nullable(),
  installment_number: integer().nullable(),
  scheduled_on: date().nullable(),
  /** Until when an installment of a purchase plan may be paid (SIP-13); null on every other order. */
  payable_until: timestamptz().nullable(),
  traded_on: date().nullable().bySteps(),
  /** As the gateway's review reported it. */
  scheme_category: text<SchemeCategory>().nullable().bySteps(),
  allotted_units: numeric().nullable().bySteps(),
  purchased_amount: numeric().nullable().bySteps(),
  purchased_price: numeric().nullable().bySteps(),
  redeemed_units: numeric().nullable().bySteps(),
  redeemed_amount: numeric().nullable().bySteps(),
  redeemed_price: numeric().nullable().bySteps(),
  /** While no payout is reported, the day that was shown first; `payoutDayOf` counts it by the holidays of today. */
  payout_due_date: date().nullable().bySteps(),
  /** Whether the gateway reported 80 % overseas, which gives more days; null where a replica of the release before took the success. */
  is_overseas: boolean().nullable().bySteps(),
  paid_out_at: timestamptz().nullable().bySteps(),
  payout_reference: text().nullable().bySteps(),
  consent: jsonb<Consent>().nullable().bySteps(),
  /** The last payment's id, set by a claim. It is reset to the previous one when that payment was never created. */
  payment_id: bigint().nullable().aside(),
  /** The previous payment; null when there was none. */
  last_payment_id: bigint().nullable().aside(),
  order_reference: text().nullable().bySteps(),
  failure_code: text().nullable().bySteps(),
  source_ref_id: text().nullable(),
  user_ip: text().nullable(),
  /** The address of the client's server. Only clients of the upstream are answered it (COMP-6), and `retried_at`. */
  server_ip: text().nullable(),
  euin: text().nullable(),
  partner: text().nullable(),
  initiated_by: text().nullable(),
  initiated_via: text().nullable(),
  created_at: timestamptz(),
  review_completed_at: timestamptz().nullable().bySteps(),
  confirmed_at: timestamptz().nullable().bySteps(),
  submitted_at: timestamptz().nullable().bySteps(),
  succeeded_at: timestamptz().nullable().bySteps(),
  failed_at: timestamptz().nullable().bySteps(),
  cancelled_at: timestamptz().nullable().bySteps(),
  reversed_at: timestamptz().nullable().bySteps(),
  /** When the payment that holds a purchase was received, and when its money reached the gateway; null again when it let the order go. */
  money_received_at: timestamptz().nullable().aside(),
  money_settled_at: timestamptz().nullable().aside(),
  /** When another purchase was created from this failed one (ORD-34). */
  retried_at: timestamptz().nullable().aside(),
  /** That purchase's id; null also where a replica of the release before created it. */
  retried_as: text().nullable().aside(),
  /** The mandate that collects an installment's money before its submission (PLAN-23); null when none is collected. */
  collection_mandate: bigint().nullable(),
  /** The mandate that the plan debits for a purchase (SIP-25); null when the investor pays it himself. */
  debited_mandate: bigint().nullable(),
  /** When payments answered that this debit exists, or that none is raised. */
  debit_over_at: timestamptz().nullable().aside(),
  /** When that money came. */
  collected_at: timestamptz().nullable().aside(),
  /** When the last call that submits a collected installment started; null: the gateway was never called (decision 0030). */
  submission_called_at: timestamptz().nullable().aside(),
  /** When that call was over, with or without an answer; null while it is in progress. */
  submission_over_at: timestamptz().nullable().aside(),
  /** When it became known that its money goes back: after that no call that submits it is started. */
  submission_stopped_at: timestamptz().nullable().aside(),
  /** When payments reported that the collected money went back. */
  collection_returned_at: timestamptz().nullable().aside(),
  /** The number of the order's last event (EVT-5). */
  event_seq: integer().bySteps(),
  /** The payment that holds the order (CLAIM-2), null when none does. Only the statements of the claim write it. */
  claimed_by: bigint().nullable().aside(),
  claimed_at: timestamptz().nullable().aside(),
  /** When payments is asked whether the claim's payment was created; null once that is known. */
  claim_check_at: timestamptz().nullable().aside(),
  /** The last payment that gave up the order's money because it was not confirmed. Under that payment the order cannot be confirmed. */
  given_up_by: bigint().nullable().aside(),
  /** Since when the gateway's answers have not been understood; null when the last one was. */
  unanswered_since: timestamptz().nullable().aside(),
});

export type MfOrder = RowOf<typeof MF_ORDERS>;
