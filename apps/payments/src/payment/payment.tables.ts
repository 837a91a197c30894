import type {
  AuthorisationFact,
  PAYMENT_TYPES,
  PaymentFailureCode,
  ProviderName,
  REFUND_REASONS,
  REFUND_STATUSES,
} from '@fundrail/contracts';
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
import type { PaymentStatus } from '@fundrail/state-machines';

export type PaymentType = (typeof PAYMENT_TYPES)[number];
export type RefundReason = (typeof REFUND_REASONS)[number];
type RefundState = (typeof REFUND_STATUSES)[number];

/** A row of `payments`: first the fields of the API under their names, then the internal ones. */
export const PAYMENTS = defineTable('payments', {
  id: bigint().primary(),
  tenant: text(),
  payment_type: text<PaymentType>(),
  status: text<PaymentStatus>().bySteps(),
  amount: numeric(),
  debit_date: date().bySteps(),
  method: text().nullable(),
  upi_type: text<'uri' | 'collect'>().nullable(),
  upi_vpa: text().nullable(),
  upi_uri: text().nullable().byLaterSteps(),
  from_bank_account_id: bigint(),
  provider_name: text<ProviderName>(),
  /** Empty when no browser returns to the client: UPI authorisations and debits. */
  payment_postback_url: text(),
  mandate_id: bigint().nullable(),
  source_ref_id: text().nullable(),
  failed_reason: text().nullable().byLaterSteps(),
  failure_code: text<PaymentFailureCode>().nullable().byLaterSteps(),
  created_at: timestamptz(),
  submitted_at: timestamptz().nullable().byLaterSteps(),
  debit_confirmed_at: timestamptz().nullable().byLaterSteps(),
  failed_at: timestamptz().nullable().byLaterSteps(),
  transfer_initiated_at: timestamptz().nullable().byLaterSteps(),
  settled_at: timestamptz().nullable().byLaterSteps(),
  rejected_at: timestamptz().nullable().byLaterSteps(),
  late_auth: boolean().byLaterSteps(),
  event_seq: integer().bySteps(),

  /** When the payment expires, unless the money has come (TIME-1); null for debits, which do not expire. */
  expires_at: timestamptz().nullable().bySteps(),
  /** The intent: set before the URI or collect request is first sent to the provider. From then on the investor may be able to pay. */
  uri_requested_at: timestamptz().nullable().byLaterSteps(),
  /** The intent to end it, set before the cancel call to the provider: decides how the payment ends, even if the provider reports it first. */
  ending: text<'expire' | 'cancel'>().nullable().byLaterSteps(),
  /** When the provider confirmed that it takes no more money for this payment. */
  provider_closed_at: timestamptz().nullable().byLaterSteps(),
  /** The sum of all captures, and of all refunds of them. A CHECK keeps the second from exceeding the first. */
  received_amount: numeric().byLaterSteps(),
  refunded_amount: numeric().byLaterSteps(),
  /** Our reference for the transfer to the order gateway, from `start_transfer` on. */
  transfer_reference: text().nullable().byLaterSteps(),
  /** When the gateway accepted the transfer; until then it is resent under the same reference. */
  transfer_accepted_at: timestamptz().nullable().byLaterSteps(),

  /** When the provider accepted the collect request. */
  collect_sent_at: timestamptz().nullable().byLaterSteps(),
  /** The provider's order for a payment by page or SDK; before it is recorded, the payment cannot have been paid. */
  checkout_order_id: text().nullable().byLaterSteps(),
  /** The provider's customer, for the SDK options of a mandate authorisation. */
  checkout_customer_id: text().nullable().byLaterSteps(),
  /** The last state of an authorisation's mandate that was published to mandates. */
  mandate_fact: text<AuthorisationFact['status']>().nullable().byLaterSteps(),
  /** Until when `token_url` opens the hosted page; null for payments without one. */
  token_expires_at: timestamptz().nullable(),
  /** When the page was opened; `token_url` does not open it again in another browser. */
  token_used_at: timestamptz().nullable().byLaterSteps(),
  /** Hash of the cookie of the browser that may open the page again. */
  page_session_hash: text().nullable().byLaterSteps(),
  /** The answer to the creation had SDK options, so the payment may be paid without the page. */
  sdk_options_offered: boolean(),
  /** The investor's bank, by the first four letters of its IFSC. */
  bank_code: text().nullable(),
  /** The SDK is prefilled with the contacts of this account. */
  mf_investment_account: text().nullable(),
});
export type PaymentRow = RowOf<typeof PAYMENTS>;

/** One order's share of a payment. `live` mirrors the payment: false once it is FAILED or REJECTED. */
export const PAYMENT_ORDERS = defineTable('payment_orders', {
  payment_id: bigint().primary(),
  old_id: bigint().primary(),
  tenant: text(),
  /** The order's prefixed id. */
  order_id: text(),
  amount: numeric(),
  live: boolean().bySteps(),
  /** The ISIN of the order's scheme; null for older shares. */
  scheme: text().nullable(),
  /** The client's name for the order on the payer's page. */
  display_name: text().nullable(),
});
export type ShareRow = RowOf<typeof PAYMENT_ORDERS>;

/** Money that goes back. `reference` is ours and the provider's idempotency key; a new attempt is a new row. */
export const REFUNDS = defineTable('refunds', {
  reference: text().primary(),
  tenant: text(),
  payment_id: bigint(),
  /** Counts the payment's refunds from 1. */
  number: integer(),
  amount: numeric(),
  reason: text<RefundReason>(),
  status: text<RefundState>().bySteps(),
  failure_code: text().nullable().bySteps(),
  /** The number of attempts to give this money back, including this row. */
  attempt: integer(),
  /** The provider has accepted the refund: from then on its status is asked, and it is not sent again. */
  accepted: boolean().bySteps(),
  returned_by: text<'provider' | 'registrar'>(),
  amc_order_ids: jsonb<number[]>(),
  created_at: timestamptz(),
});
export type RefundRow = RowOf<typeof REFUNDS>;

/** Money that came in, under the provider's own reference. */
export const CAPTURES = defineTable('captures', {
  provider_name: text<ProviderName>().primary(),
  provider_reference: text().primary(),
  tenant: text(),
  payment_id: bigint(),
  amount: numeric(),
  currency: text(),
  captured_at: timestamptz(),
});
export type CaptureRow = RowOf<typeof CAPTURES>;
