import type { BANK_ACCOUNT_TYPES } from '@fundrail/contracts';
import { bigint, defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** An investor's bank account. The number is encrypted. Its keyed hash finds the account without decryption. */
export const BANK_ACCOUNTS = defineTable('bank_accounts', {
  id: text().primary(),
  /** Numbered by the database. */
  old_id: bigint().aside(),
  tenant: text(),
  profile: text(),
  primary_account_holder_name: text(),
  account_number_encrypted: text(),
  account_number_hash: text(),
  type: text<(typeof BANK_ACCOUNT_TYPES)[number]>(),
  ifsc_code: text(),
  bank_name: text(),
  bank_code: text(),
  created_at: timestamptz(),
});

export type BankAccountRow = RowOf<typeof BANK_ACCOUNTS>;
