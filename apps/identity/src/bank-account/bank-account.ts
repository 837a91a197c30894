import { istTimestamp, newId } from '@fundrail/contracts';
import type { BankAccountDto, BankAccountFacts, CreateBankAccountDto } from '@fundrail/contracts';
import type { Cell, DataCipher } from '@fundrail/service-kit/crypto';
import type { BankAccountRow } from './bank-account.table.ts';

const SHOWN_DIGITS = 4;

/** The number with X for all but its last four characters; of a short number, less than half stays visible. The length stays. */
export function maskedNumber(accountNumber: string): string {
  const shown = Math.min(SHOWN_DIGITS, Math.floor((accountNumber.length - 1) / 2));
  const end = accountNumber.slice(accountNumber.length - shown);
  return end.padStart(accountNumber.length, 'X');
}

/** The cell that stores an account's number, encrypted. */
export function accountNumberCell({ id, tenant }: Pick<BankAccountRow, 'id' | 'tenant'>): Cell {
  return { table: 'bank_accounts', column: 'account_number_encrypted', tenant, key: [id] };
}

/** A new account, with its number encrypted and hashed. */
export function newBankAccount(
  { account_number, ...input }: CreateBankAccountDto,
  given: Pick<BankAccountRow, 'tenant' | 'bank_name' | 'bank_code' | 'created_at'>,
  cipher: DataCipher,
): Omit<BankAccountRow, 'old_id'> {
  const id = newId('bankAccount');
  return {
    ...{ ...input, ...given, id },
    account_number_encrypted: cipher.encrypt(account_number, accountNumberCell({ id, tenant: given.tenant })),
    account_number_hash: cipher.keyedHash(account_number),
  };
}

/** Digits that are no account's. */
const NO_NUMBER = '000000000';

/** What overwrites the personal columns of an account whose investor is erased. */
export function erasedBankAccount(row: BankAccountRow, holder: string, cipher: DataCipher) {
  return {
    primary_account_holder_name: holder,
    account_number_encrypted: cipher.encrypt(NO_NUMBER, accountNumberCell(row)),
    account_number_hash: cipher.keyedHash(NO_NUMBER),
  };
}

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

/** What payments needs of a bank account (contracts `bankAccountFacts`). */
export function toBankAccountFacts(row: BankAccountRow, accountNumber: string): BankAccountFacts {
  const { object, bank_name, created_at, ...facts } = toBankAccount(row, accountNumber);
  return facts;
}
