import { bigint, defineTable, jsonb, text, timestamptz, type RowOf } from '@fundrail/persistence';

/**
 * The account in which orders are placed. The three folio defaults are columns here and one object in the API. A contact is the contact
 * itself, or the id of a detail of the profile.
 */
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
  /** Folio defaults that only the upstream has: ids of details of the profile, and how they are used (COMP-12). */
  further_defaults: jsonb<Readonly<Record<string, unknown>>>().nullable().bySteps(),
  created_at: timestamptz(),
});

export type MfInvestmentAccountRow = RowOf<typeof MF_INVESTMENT_ACCOUNTS>;
