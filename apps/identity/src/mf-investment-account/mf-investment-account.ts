import {
  FURTHER_DEFAULTS,
  istTimestamp,
  type ChangeMfInvestmentAccountDto,
  type CreateMfInvestmentAccountDto,
  type FolioDefaultsInput,
  type InvestmentAccountFacts,
  type MfInvestmentAccountDto,
} from '@fundrail/contracts';
import type { InvestorProfileRow } from '../investor-profile/investor-profile.table.ts';
import type { MfInvestmentAccountRow } from './mf-investment-account.table.ts';

/** A row without the columns that the database generates. */
type NewMfInvestmentAccount = Omit<MfInvestmentAccountRow, 'old_id'>;

export function newMfInvestmentAccount(
  input: CreateMfInvestmentAccountDto,
  given: { id: string; tenant: string; now: Date },
): NewMfInvestmentAccount {
  const { folio_defaults: defaults } = input;
  return {
    id: given.id,
    tenant: given.tenant,
    primary_investor: input.primary_investor,
    holding_pattern: input.holding_pattern,
    communication_email_address: defaults.communication_email_address ?? null,
    communication_mobile_number: defaults.communication_mobile_number ?? null,
    payout_bank_account: defaults.payout_bank_account ?? null,
    further_defaults: furtherOf(defaults, null),
    created_at: given.now,
  };
}

/** The account with changed folio defaults. Absent fields keep their values, and null clears a field. */
export function changedMfInvestmentAccount(
  row: MfInvestmentAccountRow,
  changes: ChangeMfInvestmentAccountDto,
): MfInvestmentAccountRow {
  const {
    communication_email_address: email,
    communication_mobile_number: mobile,
    payout_bank_account: payout,
  } = changes.folio_defaults;
  return {
    ...row,
    communication_email_address: email === undefined ? row.communication_email_address : email,
    communication_mobile_number: mobile === undefined ? row.communication_mobile_number : mobile,
    payout_bank_account: payout === undefined ? row.payout_bank_account : payout,
    further_defaults: furtherOf(changes.folio_defaults, row.further_defaults),
  };
}

/** The further folio defaults after a request; null while none was ever set. */
function furtherOf(
  input: FolioDefaultsInput,
  before: MfInvestmentAccountRow['further_defaults'],
): MfInvestmentAccountRow['further_defaults'] {
  const sent = FURTHER_DEFAULTS.filter((name) => input[name] !== undefined);
  if (sent.length === 0) return before;
  return { ...before, ...Object.fromEntries(sent.map((name) => [name, input[name]])) };
}

type Contacts = InvestmentAccountFacts['contacts'];
type Profile = Pick<InvestorProfileRow, 'email' | 'mobile_isd_code' | 'mobile_number'>;

/**
 * The contacts with which a consent is compared: the account's folio defaults, or the profile's for each that is missing (INV-12).
 * The folio's mobile is one plain string, so the dialling code is returned only when it is certain.
 */
export function contactsOf(account: MfInvestmentAccountRow, profile: Profile): Contacts {
  return {
    email: account.communication_email_address ?? profile.email,
    ...splitMobile(account.communication_mobile_number, profile),
  };
}

const INDIA = '+91';

function splitMobile(text: string | null, profile: Profile): Pick<Contacts, 'isd_code' | 'mobile'> {
  const own = { isd_code: profile.mobile_isd_code, mobile: profile.mobile_number };
  if (text === null || text === own.mobile || text === `+${own.isd_code ?? ''}${own.mobile ?? ''}`)
    return own;
  if (text.startsWith(INDIA)) return { isd_code: INDIA.slice(1), mobile: text.slice(INDIA.length) };
  return { isd_code: null, mobile: text.replace('+', '') };
}

export function toMfInvestmentAccount(row: MfInvestmentAccountRow): MfInvestmentAccountDto {
  return {
    object: 'mf_investment_account',
    id: row.id,
    old_id: row.old_id,
    primary_investor: row.primary_investor,
    holding_pattern: row.holding_pattern,
    folio_defaults: {
      ...row.further_defaults,
      communication_email_address: row.communication_email_address,
      communication_mobile_number: row.communication_mobile_number,
      payout_bank_account: row.payout_bank_account,
    },
    created_at: istTimestamp(row.created_at),
  };
}
