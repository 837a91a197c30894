import type {
  PAYMENT_TYPES,
  PaymentDto,
  PaymentFailureCode,
  ProviderName,
  REFUND_REASONS,
  REFUND_STATUSES,
  SchemeCategory,
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
type Upi = NonNullable<PaymentDto['upi']>;
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
  /** As the API shows it; null when it is not paid by a URI or a collect request. */
  upi: jsonb<Upi>().nullable().bySteps(),
  from_bank_account_id: bigint(),
  provider_name: text<ProviderName>(),
  mandate_id: bigint().nullable(),
  source_ref_id: text().nullable(),
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

  /** The sum of all captures, and of all refunds of them. A CHECK keeps the second from exceeding the first. */
  received_amount: numeric().byLaterSteps(),
  refunded_amount: numeric().byLaterSteps(),
  /** Our reference for the transfer to the order gateway, from `start_transfer` on. */
  transfer_reference: text().nullable().byLaterSteps(),
  /** When the gateway accepted the transfer; until then it is resent under the same reference. */
  transfer_accepted_at: timestamptz().nullable().byLaterSteps(),
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
  /** The category of that scheme, where orders reported it. */
  scheme_category: text<SchemeCategory>().nullable(),
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
  /** Null when the provider does not report the way. */
  by_upi: boolean().nullable(),
});
export type CaptureRow = RowOf<typeof CAPTURES>;
