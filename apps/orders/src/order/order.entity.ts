import { Decimal, type Consent, type MfOrderState } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One row of `mf_orders`: a purchase or a redemption. Fields are columns are the wire's names (contract §2);
 * those that the wire does not have are documented. Amounts in rupees, timestamps are instants, dates are IST.
 */
@Entity('mf_orders')
export class MfOrder {
  @PrimaryColumn('int8') old_id!: number;
  @Column('text') id!: string;
  @Column('text') tenant!: string;
  @Column('text') kind!: 'purchase' | 'redemption';
  @Column('text') mf_investment_account!: string;
  /** The account's primary investor, kept here so that a claim needs no other service; null on an installment while nobody had to know. */
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
  /** The last payment's id: set by a claim, never cleared. */
  @Column('int8', { nullable: true }) payment_id!: number | null;
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
  /** The mandate that an installment's money is collected by before its submission (contract §5); null when none is collected. */
  @Column('int8', { nullable: true }) collection_mandate!: number | null;
  /** When that money came. */
  @Column('timestamptz', { nullable: true }) collected_at!: Date | null;
  /** The number of the order's last event (architecture, rule 7). */
  @Column('int4') event_seq!: number;
  /** The payment that holds the order (architecture §11), null when none does. Only the claim's statements write it. */
  @Column('int8', { nullable: true }) claimed_by!: number | null;
  @Column('timestamptz', { nullable: true }) claimed_at!: Date | null;
  /** When payments is asked whether the claim's payment came to be; null once that is known. */
  @Column('timestamptz', { nullable: true }) claim_check_at!: Date | null;
  /** Since when the gateway has given no answer that we understand; null when the last one was understood. */
  @Column('timestamptz', { nullable: true }) unanswered_since!: Date | null;
}
