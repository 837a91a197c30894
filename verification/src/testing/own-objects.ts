import type { ApiClient } from './api-client.ts';
import type { Names } from './foreign-requests.ts';
import { ok } from './purchase.ts';

const INVESTOR = {
  name: 'Ravi',
  pan: 'ABCPS1234K',
  date_of_birth: '1988-02-11',
  email: 'ravi@example.com',
  mobile: { isd_code: '91', number: '9876500000' },
};

/** Creates objects of a new tenant, by kind (`Spot`), for requests that name several objects. */
export async function ownObjectsOf(client: ApiClient): Promise<Names> {
  const made = async (path: string, body: object) => ok(await client.post(path, body)).body;
  const { id: profile } = await made('/v2/investor_profiles', INVESTOR);
  const bank = await made('/v2/bank_accounts', {
    profile,
    primary_account_holder_name: 'Ravi',
    account_number: '987654321',
    type: 'savings',
    ifsc_code: 'HDFC0000001',
  });
  const account = await made('/v2/mf_investment_accounts', {
    primary_investor: profile,
    folio_defaults: { payout_bank_account: bank['id'] },
  });
  const scheme = 'INF209K01VD7';
  const order = await made('/v2/mf_purchases', {
    mf_investment_account: account['id'],
    scheme,
    amount: 5000,
  });
  const webhook = await made('/v2/notification_webhooks', { url: 'http://localhost:8080/', events: ['*'] });
  const mandate = await client.post('/api/pg/mandates', {
    mandate_type: 'UPI',
    bank_account_id: bank['old_id'],
    provider_name: 'GATEWAYPOA',
    mandate_limit: 5000,
  });
  return new Map<string, string | number>([
    ['invp', String(profile)],
    ['bac', String(bank['id'])],
    ['mfia', String(account['id'])],
    ['mfp', String(order['id'])],
    ['nwh', String(webhook['id'])],
    ['bank_account_id', Number(bank['old_id'])],
    ['amc_order_ids', Number(order['old_id'])],
    ['mandate_id', Number(ok(mandate).body['id'])],
  ]);
}
