import type { Decimal, MandateType, PROVIDER_NAMES } from '@fundrail/contracts';
import type { MandateStatus } from '@fundrail/state-machines';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** A row of `mandates`: first the fields of the API under their names there (MAN-5), then those that only this service uses. */
@Entity('mandates')
export class MandateRow {
  @PrimaryColumn('bigint') id!: number;
  @Column('text') mandate_ref!: string;
  @Column('text') tenant!: string;
  @Column('bigint') bank_account_id!: number;
  @Column('text') mandate_type!: MandateType;
  @Column('text') mandate_status!: MandateStatus;
  /** The maximum amount of one debit, in rupees. */
  @Column('numeric') mandate_limit!: Decimal;
  /** IST dates, both inclusive. */
  @Column('date') valid_from!: string;
  @Column('date') valid_to!: string;
  @Column('text') provider_name!: ProviderName;
  /** The provider's name for the mandate, known from its authorisation on. */
  @Column('text', { nullable: true }) mandate_token!: string | null;
  @Column('text', { nullable: true }) umrn!: string | null;
  @Column('text', { nullable: true }) provider_id!: string | null;
  @Column('text', { nullable: true }) rejected_reason!: string | null;
  @Column('text', { nullable: true }) source_ref_id!: string | null;
  @Column('timestamptz') created_at!: Date;
  @Column('timestamptz', { nullable: true }) received_at!: Date | null;
  @Column('timestamptz', { nullable: true }) submitted_at!: Date | null;
  @Column('timestamptz', { nullable: true }) approved_at!: Date | null;
  @Column('timestamptz', { nullable: true }) rejected_at!: Date | null;
  @Column('timestamptz', { nullable: true }) cancelled_at!: Date | null;
  /** When it was last paused. */
  @Column('timestamptz', { nullable: true }) paused_at!: Date | null;
  @Column('timestamptz', { nullable: true }) expired_at!: Date | null;
  /** The number of the mandate's last event (EVT-5). */
  @Column('integer') event_seq!: number;

  /** The owner of the bank account, kept here so that an admission needs no other service. */
  @Column('text') investor_profile!: string;
  /** The payment that is authorising it: at most one (MAN-17). Only the statements of the claim write it. */
  @Column('bigint', { nullable: true }) authorising_payment!: number | null;
  @Column('timestamptz', { nullable: true }) authorising_since!: Date | null;
  /** When payments is asked whether that payment was created; null once that is known. */
  @Column('timestamptz', { nullable: true }) authorising_check_at!: Date | null;
  /** Since when an unconfirmed report of the provider contradicts APPROVED. Meanwhile nothing is admitted or permitted. */
  @Column('timestamptz', { nullable: true }) doubted_at!: Date | null;
  /** Counts the provider's notifications, so that an answer to a question from before the last one is not applied. */
  @Column('integer') facts_seq!: number;
}
