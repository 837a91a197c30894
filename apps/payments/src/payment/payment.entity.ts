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
export type RefundState = (typeof REFUND_STATUSES)[number];

/** A row of `payments`. The wire's fields under the wire's names, and below them what only this service knows. */
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
  /** Empty where no browser comes back: UPI authorisations and debits. */
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

  /** When the payment ends by itself, unless the money has come (contract §3 "Times"); null for debits, which do not. */
  @Column('timestamptz', { nullable: true }) expires_at!: Date | null;
  /** The intent: set before the provider is first asked for the URI. From then on the investor may be able to pay. */
  @Column('timestamptz', { nullable: true }) uri_requested_at!: Date | null;
  /** The intent to end it, set before the provider is asked to take no more money: whose end it is, whoever tells of it. */
  @Column('text', { nullable: true }) ending!: 'expire' | 'cancel' | null;
  /** The provider said that it takes no more money for this payment. */
  @Column('timestamptz', { nullable: true }) provider_closed_at!: Date | null;
  /** Everything that ever came in for this payment, and what of it went or is going back. A CHECK holds the second below the first. */
  @Column('numeric') received_amount!: Decimal;
  @Column('numeric') refunded_amount!: Decimal;
  /** Our reference of the transfer to the order gateway, from `start_transfer` on. */
  @Column('text', { nullable: true }) transfer_reference!: string | null;
  /** The gateway has taken the transfer on; until then it is sent again under the same reference. */
  @Column('timestamptz', { nullable: true }) transfer_accepted_at!: Date | null;

  /** The provider has taken the collect request on. */
  @Column('timestamptz', { nullable: true }) collect_sent_at!: Date | null;
  /** The provider's order of a payment by page or SDK; until it is known, nobody can have paid. */
  @Column('text', { nullable: true }) checkout_order_id!: string | null;
  /** The provider's customer, whom SDK options of a mandate authorisation name. */
  @Column('text', { nullable: true }) checkout_customer_id!: string | null;
  /** How far the mandate of an authorisation has come, as mandates was told last. */
  @Column('text', { nullable: true }) mandate_fact!: AuthorisationFact['status'] | null;
  /** Until when `token_url` opens the hosted page; null for payments without one. */
  @Column('timestamptz', { nullable: true }) token_expires_at!: Date | null;
  /** The page was opened; `token_url` opens it for nobody else from then on. */
  @Column('timestamptz', { nullable: true }) token_used_at!: Date | null;
  /** Of the cookie whose browser may open the page again. */
  @Column('text', { nullable: true }) page_session_hash!: string | null;
  /** The creation answered SDK options, so that the payment may go on without the page. */
  @Column('boolean') sdk_options_offered!: boolean;
  /** The investor's bank, by the first four letters of its IFSC. */
  @Column('text', { nullable: true }) bank_code!: string | null;
  /** Whose contacts the SDK prefills. */
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
  /** How often this money was tried to be given back, this row included. */
  @Column('integer') attempt!: number;
  /** The provider has taken the refund on: from then on it is asked about, not sent. */
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
