import { prefixedId, PROFILE_DETAILS, ValidationFailed } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import type { DataCipher } from '@fundrail/service-kit/crypto';
import { z } from 'zod';
import { bankAccounts } from '../bank-account/bank-account.repository.ts';
import type { InvestorProfileRow } from '../investor-profile/investor-profile.table.ts';
import { contentOf } from '../profile-detail/profile-detail.ts';
import { profileDetails } from '../profile-detail/profile-detail.repository.ts';
import type { MfInvestmentAccountRow } from './mf-investment-account.table.ts';

type Account = Omit<MfInvestmentAccountRow, 'old_id'>;

/** Throws `ValidationFailed` for each folio default that names an object which does not belong to the investor (INV-16). */
export async function checkFolioDefaults(tx: Queryable, account: Account): Promise<void> {
  const { tenant, primary_investor: profile } = account;
  const fields = Object.entries({ ...account, ...account.further_defaults });
  const errors = [];
  for (const [field, id] of fields) {
    if (!isDetailId(id) || (await profileDetails.find(tx, { tenant, id, profile }))) continue;
    errors.push({ field: `folio_defaults.${field}`, message: 'is not an object of the primary investor' });
  }
  const payout = account.payout_bank_account;
  const bank = payout === null ? null : await bankAccounts.find(tx, { tenant, id: payout });
  if (payout !== null && bank?.profile !== profile)
    errors.push({
      field: 'folio_defaults.payout_bank_account',
      message: 'is not a bank account of the primary investor',
    });
  if (errors.length > 0) throw new ValidationFailed(errors);
}

const detailId = z.union(Object.values(PROFILE_DETAILS).map(({ id }) => prefixedId(id)));

/** Whether it is the id of a detail: no contact looks like one. */
function isDetailId(value: unknown): value is string {
  return detailId.safeParse(value).success;
}

type Profile = Pick<InvestorProfileRow, 'email' | 'mobile_isd_code' | 'mobile_number'>;

/** The account and its profile, in which the contacts that the account names by id take the place of the profile's (COMP-12). */
export async function withNamedContacts(
  db: Queryable,
  { account, profile }: { readonly account: MfInvestmentAccountRow; readonly profile: Profile },
  cipher: DataCipher,
): Promise<{ readonly account: MfInvestmentAccountRow; readonly profile: Profile }> {
  const { tenant, communication_email_address: email, communication_mobile_number: phone } = account;
  const ids = [email, phone].filter(isDetailId);
  if (ids.length === 0) return { account, profile };
  const named = new Map(
    (await profileDetails.list(db, { tenant, id: ids }, 't.id')).map((row) => [
      row.id,
      contentOf(row, cipher),
    ]),
  );
  const [emailOf, phoneOf] = [named.get(email ?? ''), named.get(phone ?? '')];
  return {
    account: {
      ...account,
      communication_email_address: emailOf ? null : email,
      communication_mobile_number: phoneOf ? null : phone,
    },
    profile: {
      email: emailOf ? String(emailOf['email']) : profile.email,
      mobile_isd_code: phoneOf ? String(phoneOf['isd']) : profile.mobile_isd_code,
      mobile_number: phoneOf ? String(phoneOf['number']) : profile.mobile_number,
    },
  };
}
