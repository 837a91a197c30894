import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The account in which orders are placed. The three folio defaults are columns here and one object in the API. */
@Entity('mf_investment_accounts')
export class MfInvestmentAccountRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('bigint')
  readonly old_id!: number;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly primary_investor!: string;

  @Column('text')
  readonly holding_pattern!: 'single';

  @Column('text', { nullable: true })
  readonly communication_email_address!: string | null;

  @Column('text', { nullable: true })
  readonly communication_mobile_number!: string | null;

  @Column('text', { nullable: true })
  readonly payout_bank_account!: string | null;

  @Column('timestamptz')
  readonly created_at!: Date;
}
