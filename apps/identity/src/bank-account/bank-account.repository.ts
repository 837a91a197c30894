import { Rows } from '@fundrail/persistence';
import { BANK_ACCOUNTS } from './bank-account.table.ts';

export const bankAccounts = new Rows(BANK_ACCOUNTS);

/** The same, without those of investors who are being erased, or are (INV-18). */
export const servedBankAccounts = bankAccounts.reading<object>(
  `SELECT ${BANK_ACCOUNTS.names.map((column) => `t.${column}`).join(', ')} FROM bank_accounts t
     JOIN investor_profiles p ON p.id = t.profile AND p.erasure IS NULL`,
);
