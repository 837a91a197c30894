import { randomInt } from 'node:crypto';
import type { BuyerApp } from './buyer-app.ts';

/** What the walks need to know about an investor. */
export interface Investor {
  readonly account: string;
  readonly bankAccountId: number;
  readonly consent: { readonly email: string; readonly isd_code: string; readonly mobile: string };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Creates a profile, a bank account and an investment account; new ones at each run, so that the demo can run twice. */
export async function createInvestor(app: BuyerApp): Promise<Investor> {
  const email = `asha.${randomDigits(8)}@example.com`;
  const mobile = `9${randomDigits(9)}`;
  const profile = await app.post('/v2/investor_profiles', {
    name: 'Asha Rao',
    pan: randomPan(),
    date_of_birth: '1990-04-12',
    email,
    mobile: { isd_code: '91', number: mobile },
    tax_status: 'resident_individual',
  });
  const bank = await app.post('/v2/bank_accounts', {
    profile: profile['id'],
    primary_account_holder_name: 'Asha Rao',
    account_number: randomDigits(14),
    type: 'savings',
    ifsc_code: 'HDFC0000001',
  });
  const account = await app.post('/v2/mf_investment_accounts', {
    primary_investor: profile['id'],
    holding_pattern: 'single',
    folio_defaults: {
      communication_email_address: email,
      communication_mobile_number: mobile,
      payout_bank_account: bank['id'],
    },
  });
  const consent = { email, isd_code: '91', mobile };
  return { account: String(account['id']), bankAccountId: Number(bank['old_id']), consent };
}

/** A well-formed PAN of a person (the fourth letter is P). */
function randomPan(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  return `${letter()}${letter()}${letter()}P${letter()}${randomDigits(4)}${letter()}`;
}

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
