import { istTimestamp, type BankAccountDto, type BankAccountFacts } from '@fundrail/contracts';
import type { BankAccountRow } from './bank-account.entity.ts';

/** A row without what the database draws. */
export type NewBankAccount = Omit<BankAccountRow, 'old_id'>;

export function toBankAccount(row: BankAccountRow, accountNumber: string): BankAccountDto {
  return {
    object: 'bank_account',
    id: row.id,
    old_id: row.old_id,
    profile: row.profile,
    primary_account_holder_name: row.primary_account_holder_name,
    account_number: accountNumber,
    type: row.type,
    ifsc_code: row.ifsc_code,
    bank_name: row.bank_name,
    bank_code: row.bank_code,
    created_at: istTimestamp(row.created_at),
  };
}

/** What payments need to know of it (contracts `bankAccountFacts`). */
export function toBankAccountFacts(row: BankAccountRow, accountNumber: string): BankAccountFacts {
  return {
    id: row.id,
    old_id: row.old_id,
    profile: row.profile,
    primary_account_holder_name: row.primary_account_holder_name,
    account_number: accountNumber,
    type: row.type,
    ifsc_code: row.ifsc_code,
    bank_code: row.bank_code,
  };
}
