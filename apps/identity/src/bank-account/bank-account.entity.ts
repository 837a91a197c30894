import { BANK_ACCOUNT_TYPES } from '@fundrail/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An investor's bank account. The number is encrypted. Its keyed hash finds the account without decryption. */
@Entity('bank_accounts')
export class BankAccountRow {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('bigint')
  readonly old_id!: number;

  @Column('text')
  readonly tenant!: string;

  @Column('text')
  readonly profile!: string;

  @Column('text')
  readonly primary_account_holder_name!: string;

  @Column('text')
  readonly account_number_encrypted!: string;

  @Column('text')
  readonly account_number_hash!: string;

  @Column('text')
  readonly type!: (typeof BANK_ACCOUNT_TYPES)[number];

  @Column('text')
  readonly ifsc_code!: string;

  @Column('text')
  readonly bank_name!: string;

  @Column('text')
  readonly bank_code!: string;

  @Column('timestamptz')
  readonly created_at!: Date;
}
