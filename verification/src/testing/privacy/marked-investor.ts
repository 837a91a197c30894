import type { ApiClient } from '../api-client.ts';
import { ok } from '../purchase.ts';
import { MARKS } from './marks.ts';

/** An investor with marked values, created with idempotency keys, so that stored answers contain the values too. */
export interface MarkedInvestor {
  readonly investor_profile: string;
  readonly mf_investment_account: string;
  readonly bank_account_id: number;
  readonly consent: object;
}

const CONTACTS = { phone: { isd: '91', number: MARKS.mobile }, email: MARKS.email };
const HOME = { line1: MARKS.name, postal_code: '411001', country: 'IN' };
const PARTY = { name: MARKS.name, pan: MARKS.pan, email_address: MARKS.email, address: HOME };
/** All that a profile may have besides its own fields (INV-15). No column may contain any of it. */
const DETAILS: readonly (readonly [path: string, detail: object])[] = [
  ['/v2/phone_numbers', CONTACTS.phone],
  ['/v2/email_addresses', { email: CONTACTS.email }],
  ['/v2/addresses', HOME],
  [
    ...(['/v2/related_parties'] as const),
    { ...PARTY, relationship: 'self', date_of_birth: MARKS.date_of_birth, phone_number: CONTACTS.phone },
  ],
];

export async function markedInvestor(client: ApiClient): Promise<MarkedInvestor> {
  const create = async (path: string, body: object) =>
    ok(await client.call('POST', path, body, { 'idempotency-key': `marked ${path}` })).body;
  const mobile = { isd_code: '91', number: MARKS.mobile };
  const profile = await create('/v2/investor_profiles', {
    ...{ name: MARKS.name, pan: MARKS.pan, email: MARKS.email, mobile },
    date_of_birth: MARKS.date_of_birth,
  });
  const bank = await create('/v2/bank_accounts', {
    ...{ profile: profile['id'], primary_account_holder_name: MARKS.name, type: 'savings' },
    ...{ account_number: MARKS.account_number, ifsc_code: 'HDFC0000001' },
  });
  for (const [path, detail] of DETAILS) await create(path, { profile: profile['id'], ...detail });
  const folio_defaults = {
    communication_email_address: MARKS.email,
    communication_mobile_number: MARKS.mobile,
    payout_bank_account: bank['id'],
  };
  const account = await create('/v2/mf_investment_accounts', {
    ...{ primary_investor: profile['id'], holding_pattern: 'single', folio_defaults },
  });
  return {
    investor_profile: String(profile['id']),
    mf_investment_account: String(account['id']),
    bank_account_id: Number(bank['old_id']),
    consent: { email: MARKS.email, isd_code: '91', mobile: MARKS.mobile },
  };
}

const ORDERS = ['/v2/mf_purchases', '/v2/mf_redemptions', '/v2/mf_redemption_plans', '/v2/mf_purchase_plans'];

/**
 * A client whose seed contains that investor: the walks of other suites take their investor from the seed. It sends the investor's
 * address with each order.
 */
export function onBehalfOf(client: ApiClient, investor: MarkedInvestor): ApiClient {
  const get: ApiClient['get'] = async (path) => {
    const answer = await client.get(path);
    return path === '/sandbox/seed' ? { ...answer, body: { ...answer.body, ...investor } } : answer;
  };
  return {
    ...{ url: client.url, token: client.token, get },
    call: (...asked) => client.call(...asked),
    post: (path, body) =>
      client.post(path, ORDERS.includes(path) ? { ...body, user_ip: MARKS.user_ip } : body),
    patch: (path, body) => client.patch(path, body),
  };
}
