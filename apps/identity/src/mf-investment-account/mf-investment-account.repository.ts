import { Rows, saveRow } from '@fundrail/persistence';
import { MF_INVESTMENT_ACCOUNTS } from './mf-investment-account.table.ts';

export const mfInvestmentAccounts = new Rows(MF_INVESTMENT_ACCOUNTS);

export const updateFolioDefaults = saveRow(MF_INVESTMENT_ACCOUNTS, 'id');
