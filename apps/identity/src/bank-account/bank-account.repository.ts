import { Rows } from '@fundrail/persistence';
import { BANK_ACCOUNTS } from './bank-account.table.ts';

export const bankAccounts = new Rows(BANK_ACCOUNTS);
