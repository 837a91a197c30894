import type {
  AuthorisationFact,
  Decimal,
  PaymentFailureCode,
  REFUND_REASONS,
  REFUND_STATUSES,
} from '@fundrail/contracts';
import type { PAYMENT_TYPES, PROVIDER_NAMES } from '@fundrail/contracts';
import type { PaymentStatus } from '@fundrail/state-machines';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type PaymentType = (typeof PAYMENT_TYPES)[number];
export type ProviderName = (typeof PROVIDER_NAMES)[number];
export type RefundReason = (typeof REFUND_REASONS)[number];
type RefundState = (typeof REFUND_STATUSES)[number];

/** A row of `payments`: first the fields of the API under their names, then the internal ones. */
@Entity('payments')
export class PaymentRow {
  @PrimaryColumn('bigint') id!: number;
  @Column('text') tenant!: string;
  @Column('text') payment_type!: PaymentType;
  @Column('text') status!: PaymentStatus;
  @Column('numeric') amount!: Decimal;
  @Column('date') debit_date!: string;
  @Column('text', { nullable: true }) method!: string | null;
  @Column('text', { nullable: true }) upi_type!: 'uri' | 'collect' | null;
  @Column('text', { nullable: true }) upi_vpa!: string | null;
  @Column('text', { nullable: true }) upi_uri!: string | null;
  @Column('bigint') from_bank_account_id!: number;
  @Column('text') provider_name!: ProviderName;
  /** Empty when no browser returns to the client: UPI authorisations and debits. */
  @Column('text') payment_postback_url!: string;
  @Column('bigint', { nullable: true }) mandate_id!: number | null;
  @Column('text', { nullable: true }) source_ref_id!: string | null;
  @Column('text', { nullable: true }) failed_reason!: string | null;
  @Column('text', { nullable: true }) failure_code!: PaymentFailureCode | null;
  @Column('timestamptz') created_at!: Date;
  @Column('timestamptz', { nullable: true }) submitted_at!: Date | null;
  @Column('timestamptz', { nullable: true }) debit_confirmed_at!: Date | null;
  @Column('timestamptz', { nullable: true }) failed_at!: Date | null;
  @Column('timestamptz', { nullable: true }) transfer_initiated_at!: Date | null;
  @Column('timestamptz', { nullable: true }) settled_at!: Date | null;
  @Column('timestamptz', { nullable: true }) rejected_at!: Date | null;
  @Column('boolean') late_auth!: boolean;
  @Column('integer') event_seq!: number;

  /** When the payment expires, unless the money has come (TIME-1); null for debits, which do not expire. */
  @Column('timestamptz', { nullable: true }) expires_at!: Date | null;
  /** The intent: set before the URI or collect request is first sent to the provider. From then on the investor may be able to pay. */
  @Column('timestamptz', { nullable: true }) uri_requested_at!: Date | null;
  /** The intent to end it, set before the cancel call to the provider: decides how the payment ends, even if the provider reports it first. */
  @Column('text', { nullable: true }) ending!: 'expire' | 'cancel' | null;
  /** When the provider confirmed that it takes no more money for this payment. */
  @Column('timestamptz', { nullable: true }) provider_closed_at!: Date | null;
  /** The sum of all captures, and of all refunds of them. A CHECK keeps the second from exceeding the first. */
  @Column('numeric') received_amount!: Decimal;
  @Column('numeric') refunded_amount!: Decimal;
  /** Our reference for the transfer to the order gateway, from `start_transfer` on. */
  @Column('text', { nullable: true }) transfer_reference!: string | null;
  /** When the gateway accepted the transfer; until then it is resent under the same reference. */
  @Column('timestamptz', { nullable: true }) transfer_accepted_at!: Date | null;

  /** When the provider accepted the collect request. */
  @Column('timestamptz', { nullable: true }) collect_sent_at!: Date | null;
  /** The provider's order for a payment by page or SDK; before it is recorded, the payment cannot have been paid. */
  @Column('text', { nullable: true }) checkout_order_id!: string | null;
  /** The provider's customer, for the SDK options of a mandate authorisation. */
  @Column('text', { nullable: true }) checkout_customer_id!: string | null;
  /** The last state of an authorisation's mandate that was published to mandates. */
  @Column('text', { nullable: true }) mandate_fact!: AuthorisationFact['status'] | null;
  /** Until when `token_url` opens the hosted page; null for payments without one. */
  @Column('timestamptz', { nullable: true }) token_expires_at!: Date | null;
  /** When the page was opened; `token_url` does not open it again in another browser. */
  @Column('timestamptz', { nullable: true }) token_used_at!: Date | null;
  /** Hash of the cookie of the browser that may open the page again. */
  @Column('text', { nullable: true }) page_session_hash!: string | null;
  /** The answer to the creation had SDK options, so the payment may be paid without the page. */
  @Column('boolean') sdk_options_offered!: boolean;
  /** The investor's bank, by the first four letters of its IFSC. */
  @Column('text', { nullable: true }) bank_code!: string | null;
  /** The SDK is prefilled with the contacts of this account. */
  @Column('text', { nullable: true }) mf_investment_account!: string | null;
}

/** One order's share of a payment. `live` mirrors the payment: false once it is FAILED or REJECTED. */
@Entity('payment_orders')
export class ShareRow {
  @PrimaryColumn('bigint') payment_id!: number;
  @PrimaryColumn('bigint') old_id!: number;
  @Column('text') tenant!: string;
  /** The order's prefixed id. */
  @Column('text') order_id!: string;
  @Column('numeric') amount!: Decimal;
  @Column('boolean') live!: boolean;
  /** The ISIN of the order's scheme; null for older shares. */
  @Column('text', { nullable: true }) scheme!: string | null;
  /** The client's name for the order on the payer's page. */
  @Column('text', { nullable: true }) display_name!: string | null;
}

/** Money that goes back. `reference` is ours and the provider's idempotency key; a new attempt is a new row. */
@Entity('refunds')
export class RefundRow {
  @PrimaryColumn('text') reference!: string;
  @Column('text') tenant!: string;
  @Column('bigint') payment_id!: number;
  /** Counts the payment's refunds from 1. */
  @Column('integer') number!: number;
  @Column('numeric') amount!: Decimal;
  @Column('text') reason!: RefundReason;
  @Column('text') status!: RefundState;
  @Column('text', { nullable: true }) failure_code!: string | null;
  /** The number of attempts to give this money back, including this row. */
  @Column('integer') attempt!: number;
  /** The provider has accepted the refund: from then on its status is asked, and it is not sent again. */
  @Column('boolean') accepted!: boolean;
  @Column('text') returned_by!: 'provider' | 'registrar';
  @Column('jsonb') amc_order_ids!: number[];
  @Column('timestamptz') created_at!: Date;
}

/** Money that came in, under the provider's own reference. */
@Entity('captures')
export class CaptureRow {
  @PrimaryColumn('text') provider_name!: ProviderName;
  @PrimaryColumn('text') provider_reference!: string;
  @Column('text') tenant!: string;
  @Column('bigint') payment_id!: number;
  @Column('numeric') amount!: Decimal;
  @Column('text') currency!: string;
  @Column('timestamptz') captured_at!: Date;
}
