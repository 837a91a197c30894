import { makeClient, post } from './api.ts';
import { OPERATOR } from './product.ts';

/** What is needed to buy in an investor's name. */
export interface Investor {
  readonly token: string;
  readonly profile: string;
  readonly account: string;
  readonly bankAccountId: number;
}

/** A tenant with a client, and an investor of it, made over HTTP as anyone would. */
export async function makeInvestor(identity: string, tenant: string): Promise<Investor> {
  const token = await makeClient(identity, tenant, OPERATOR);
  const profile = await post(identity, '/v2/investor_profiles', token, {
    name: 'Asha Rao',
    pan: 'ABCPR1234F',
    date_of_birth: '1990-04-01',
    email: 'investor@example.com',
    mobile: { isd_code: '91', number: '9876543210' },
    tax_status: 'resident_individual',
  });
  const bankAccount = await makeBankAccount(identity, { token, profile: String(profile['id']) });
  const account = await post(identity, '/v2/mf_investment_accounts', token, {
    primary_investor: profile['id'],
    holding_pattern: 'single',
    folio_defaults: { payout_bank_account: bankAccount['id'] },
  });
  return {
    token,
    profile: String(profile['id']),
    account: String(account['id']),
    bankAccountId: Number(bankAccount['old_id']),
  };
}

/**
 * So many investors in the name of this one, each with a bank account of its own. An account that pays more often in a day than a person does
 * would be refused (policy `upi_daily_limit`), and each of its payments would be compared with all others.
 */
export async function withBankAccounts(
  identity: string,
  investor: Investor,
  count: number,
): Promise<Investor[]> {
  const investors = [investor];
  while (investors.length < count) {
    const { old_id } = await makeBankAccount(identity, investor);
    investors.push({ ...investor, bankAccountId: Number(old_id) });
  }
  return investors;
}

function makeBankAccount(identity: string, { token, profile }: Pick<Investor, 'token' | 'profile'>) {
  return post(identity, '/v2/bank_accounts', token, {
    profile,
    primary_account_holder_name: 'Asha Rao',
    account_number: '000123456789',
    type: 'savings',
    ifsc_code: 'HDFC0000001',
  });
}
