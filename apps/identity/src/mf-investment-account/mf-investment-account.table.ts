import { bigint, defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** The account in which orders are placed. The three folio defaults are columns here and one object in the API. */
export const MF_INVESTMENT_ACCOUNTS = defineTable('mf_investment_accounts', {
  id: text().primary(),
  /** Numbered by the database. */
  old_id: bigint().aside(),
  tenant: text(),
  primary_investor: text(),
  holding_pattern: text<'single'>(),
  communication_email_address: text().nullable().bySteps(),
  communication_mobile_number: text().nullable().bySteps(),
  payout_bank_account: text().nullable().bySteps(),
  created_at: timestamptz(),
});

export type MfInvestmentAccountRow = RowOf<typeof MF_INVESTMENT_ACCOUNTS>;
