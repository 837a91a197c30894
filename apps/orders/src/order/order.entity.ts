import { Decimal, type Consent, type MfOrderState } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row of `mf_orders`: a purchase or a redemption. Fields have the names of the columns and of the API (ORD-14); those that the
 * API does not have are documented. Amounts are in rupees, timestamps are instants, dates are IST.
 */
@Entity('mf_orders')
export class MfOrder {
  @PrimaryColumn('int8') old_id!: number;
  @Column('text') id!: string;
  @Column('text') tenant!: string;
  @Column('text') kind!: 'purchase' | 'redemption';
  @Column('text') mf_investment_account!: string;
  /**
   * The account's primary investor, stored here so that a claim needs no other service. Null on an installment until it is needed.
   */
  @Column('text', { nullable: true }) investor_profile!: string | null;
  @Column('text') scheme!: string;
  @Column('text', { nullable: true }) folio_number!: string | null;
  @Column('text') state!: MfOrderState;
  @Column('text') type!: 'fresh' | 'additional' | 'amount' | 'units' | 'all';
  @Column('numeric', { nullable: true }) amount!: Decimal | null;
  @Column('numeric', { nullable: true }) units!: Decimal | null;
  @Column('text') gateway!: 'gatewaypoa';
  @Column('text', { nullable: true }) plan!: string | null;
  @Column('int4', { nullable: true }) installment_number!: number | null;
  @Column('date', { nullable: true }) scheduled_on!: string | null;
  @Column('date', { nullable: true }) traded_on!: string | null;
  @Column('numeric', { nullable: true }) allotted_units!: Decimal | null;
  @Column('numeric', { nullable: true }) purchased_amount!: Decimal | null;
  @Column('numeric', { nullable: true }) purchased_price!: Decimal | null;
  @Column('numeric', { nullable: true }) redeemed_units!: Decimal | null;
  @Column('numeric', { nullable: true }) redeemed_amount!: Decimal | null;
  @Column('numeric', { nullable: true }) redeemed_price!: Decimal | null;
  @Column('jsonb', { nullable: true }) consent!: Consent | null;
  /** The last payment's id, set by a claim. It is reset to the previous one when that payment was never created. */
  @Column('int8', { nullable: true }) payment_id!: number | null;
  /** The previous payment; null when there was none. */
  @Column('int8', { nullable: true }) last_payment_id!: number | null;
  @Column('text', { nullable: true }) order_reference!: string | null;
  @Column('text', { nullable: true }) failure_code!: string | null;
  @Column('text', { nullable: true }) source_ref_id!: string | null;
  @Column('text', { nullable: true }) user_ip!: string | null;
  @Column('text', { nullable: true }) euin!: string | null;
  @Column('text', { nullable: true }) partner!: string | null;
  @Column('text', { nullable: true }) initiated_by!: string | null;
  @Column('text', { nullable: true }) initiated_via!: string | null;
  @Column('timestamptz') created_at!: Date;
  @Column('timestamptz', { nullable: true }) review_completed_at!: Date | null;
  @Column('timestamptz', { nullable: true }) confirmed_at!: Date | null;
  @Column('timestamptz', { nullable: true }) submitted_at!: Date | null;
  @Column('timestamptz', { nullable: true }) succeeded_at!: Date | null;
  @Column('timestamptz', { nullable: true }) failed_at!: Date | null;
  @Column('timestamptz', { nullable: true }) cancelled_at!: Date | null;
  @Column('timestamptz', { nullable: true }) reversed_at!: Date | null;
  /** The mandate that collects an installment's money before its submission (PLAN-23); null when none is collected. */
  @Column('int8', { nullable: true }) collection_mandate!: number | null;
  /** When that money came. */
  @Column('timestamptz', { nullable: true }) collected_at!: Date | null;
  /** When the last call that submits a collected installment started; null: the gateway was never called (decision 0030). */
  @Column('timestamptz', { nullable: true }) submission_called_at!: Date | null;
  /** When that call was over, with or without an answer; null while it is in progress. */
  @Column('timestamptz', { nullable: true }) submission_over_at!: Date | null;
  /** When it became known that its money goes back: after that no call that submits it is started. */
  @Column('timestamptz', { nullable: true }) submission_stopped_at!: Date | null;
  /** When payments reported that the collected money went back. */
  @Column('timestamptz', { nullable: true }) collection_returned_at!: Date | null;
  /** The number of the order's last event (EVT-5). */
  @Column('int4') event_seq!: number;
  /** The payment that holds the order (CLAIM-2), null when none does. Only the statements of the claim write it. */
  @Column('int8', { nullable: true }) claimed_by!: number | null;
  @Column('timestamptz', { nullable: true }) claimed_at!: Date | null;
  /** When payments is asked whether the claim's payment was created; null once that is known. */
  @Column('timestamptz', { nullable: true }) claim_check_at!: Date | null;
  /**
   * The last payment that gave up the order's money because it was not confirmed. Under that payment the order cannot be confirmed.
   */
  @Column('int8', { nullable: true }) given_up_by!: number | null;
  /** Since when the gateway's answers have not been understood; null when the last one was. */
  @Column('timestamptz', { nullable: true }) unanswered_since!: Date | null;
}
