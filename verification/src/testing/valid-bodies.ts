import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { ok, payableOrder, pendingRedemption, seedOf, type Order, type Seed } from './purchase.ts';

/** A request that would be accepted: the path with its parameters filled in, and the body when the operation reads one. */
export interface ValidRequest {
  readonly path: string;
  readonly body?: object;
}

type Requests = Record<string, ValidRequest>;

interface Stage {
  readonly seed: Seed;
  /** A pending order with its consent. */
  readonly order: Order;
  readonly redemption: Order;
  readonly webhook: string;
  /** A redemption plan. */
  readonly plan: string;
  /** A mandate that may be authorised. */
  readonly mandate: number;
}

const LOCAL = 'http://localhost:8080/done';

/**
 * For each operation that takes a JSON body of known fields, a request that the tenant `demo` (an admin for `/admin`) could send now.
 * They use a pending order with its consent, an endpoint, and the seeded objects.
 */
export async function validRequests(client: ApiClient): Promise<Requests> {
  const seed = await seedOf(client);
  const [order, redemption] = [await payableOrder(client), await pendingRedemption(client)];
  ok(await client.patch('/v2/mf_redemptions', { id: redemption.id, consent: seed.consent }));
  const endpoint = await client.post('/v2/notification_webhooks', { url: LOCAL, event: 'payment.rejected' });
  const mandate = Number(ok(await client.post('/api/pg/mandates', mandateOf(seed))).body['id']);
  const plan = await reviewedPlan(client, seed);
  const stage = { seed, order, redemption, mandate, plan, webhook: String(ok(endpoint).body['id']) };
  return {
    ...investorRequests(stage),
    ...accountRequests(stage),
    ...orderRequests(stage),
    ...redemptionRequests(stage),
    ...paymentRequests(stage),
    ...mandateRequests(stage),
    ...planRequests(stage),
    ...webhookRequests(stage),
    ...adminRequests(stage),
  };
}

function investorRequests({ seed }: Stage): Requests {
  const email = 'asha@example.com';
  const mobile = { isd_code: '91', number: '9876543210' };
  return {
    'POST /v2/investor_profiles': {
      path: '/v2/investor_profiles',
      body: { name: 'Asha', pan: 'ABCPR1234K', date_of_birth: '1990-05-17', mobile },
    },
    'PATCH /v2/investor_profiles': {
      path: '/v2/investor_profiles',
      body: { id: seed.investor_profile, email },
    },
    'PATCH /v2/investor_profiles/{id}': {
      path: `/v2/investor_profiles/${seed.investor_profile}`,
      body: { email },
    },
  };
}

function accountRequests({ seed }: Stage): Requests {
  const accounts = '/v2/mf_investment_accounts';
  const { investor_profile: investor, mf_investment_account: account } = seed;
  const folio_defaults = {
    communication_email_address: 'asha@example.com',
    payout_bank_account: seed.bank_account,
  };
  return {
    'POST /v2/bank_accounts': {
      path: '/v2/bank_accounts',
      body: {
        profile: investor,
        primary_account_holder_name: 'Asha',
        account_number: '123456789',
        type: 'savings',
        ifsc_code: 'HDFC0000001',
      },
    },
    [`POST ${accounts}`]: {
      path: accounts,
      body: { primary_investor: investor, holding_pattern: 'single', folio_defaults },
    },
    [`PATCH ${accounts}`]: { path: accounts, body: { id: account, folio_defaults } },
    [`PATCH ${accounts}/{id}`]: { path: `${accounts}/${account}`, body: { folio_defaults } },
  };
}

function orderRequests({ seed, order }: Stage): Requests {
  const { mf_investment_account, consent } = seed;
  const purchase = {
    mf_investment_account,
    scheme: 'INF209K01VD7',
    amount: 5000,
    source_ref_id: `after ${order.id}`,
  };
  const confirmation = { id: order.id, state: 'confirmed' };
  const orders = '/v2/mf_purchases';
  return {
    [`POST ${orders}`]: { path: orders, body: purchase },
    [`POST ${orders}/batch`]: {
      path: `${orders}/batch`,
      body: { mf_purchases: [{ ...purchase, source_ref_id: `batch after ${order.id}` }] },
    },
    [`PATCH ${orders}`]: { path: orders, body: confirmation },
    [`PATCH ${orders}/{id}`]: { path: `${orders}/${order.id}`, body: { consent } },
    [`PATCH ${orders}/batch`]: { path: `${orders}/batch`, body: { mf_purchases: [confirmation] } },
    'POST /api/oms/simulate/orders/{old_id}': {
      path: `/api/oms/simulate/orders/${order.oldId}`,
      body: { status: 'failed' },
    },
  };
}

function redemptionRequests({ seed, redemption }: Stage): Requests {
  const { mf_investment_account, consent } = seed;
  const valid = { mf_investment_account, scheme: 'INF209K01VD7', folio_number: '91012345678', units: 3 };
  const change = { id: redemption.id, state: 'confirmed' };
  const orders = '/v2/mf_redemptions';
  return {
    [`POST ${orders}`]: { path: orders, body: valid },
    [`POST ${orders}/batch`]: { path: `${orders}/batch`, body: { mf_redemptions: [valid] } },
    [`PATCH ${orders}`]: { path: orders, body: change },
    [`PATCH ${orders}/{id}`]: { path: `${orders}/${redemption.id}`, body: { consent } },
    [`PATCH ${orders}/batch`]: { path: `${orders}/batch`, body: { mf_redemptions: [change] } },
  };
}

function paymentRequests({ seed, order }: Stage): Requests {
  return {
    'POST /api/pg/payments/netbanking': {
      path: '/api/pg/payments/netbanking',
      body: {
        amc_order_ids: [order.oldId],
        method: 'UPI',
        upi: { type: 'URI' },
        bank_account_id: seed.bank_account_id,
        payment_postback_url: LOCAL,
      },
    },
    'POST /api/pg/payments/{id}/refunds': {
      path: '/api/pg/payments/1/refunds',
      body: { amc_order_ids: [order.oldId] },
    },
    'POST /api/pg/simulate/payments/{id}': {
      path: '/api/pg/simulate/payments/1',
      body: { status: 'FAILED' },
    },
  };
}

function mandateOf({ bank_account_id }: Seed): object {
  return { mandate_type: 'upi', bank_account_id, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
}

function mandateRequests({ seed, order, mandate }: Stage): Requests {
  return {
    'POST /api/pg/mandates': {
      path: '/api/pg/mandates',
      body: mandateOf(seed),
    },
    'POST /api/pg/payments/emandate/auth': {
      path: '/api/pg/payments/emandate/auth',
      body: { mandate_id: mandate, upi: { type: 'uri' }, payment_postback_url: LOCAL },
    },
    'POST /api/pg/payments/nach': {
      path: '/api/pg/payments/nach',
      body: { mandate_id: mandate, amc_order_ids: [order.oldId] },
    },
    'POST /api/pg/simulate/mandates/{id}': {
      path: '/api/pg/simulate/mandates/1',
      body: { status: 'PAUSED' },
    },
  };
}

/** A plan that waits for its consent: only its client can change its state. */
async function reviewedPlan(client: ApiClient, seed: Seed): Promise<string> {
  const plan = String(ok(await client.post('/v2/mf_redemption_plans', planOf(seed))).body['id']);
  const isReviewed = async () =>
    (await client.get(`/v2/mf_redemption_plans/${plan}`)).body['state'] === 'review_completed';
  await waitFor(isReviewed, { what: `plan ${plan} to be review_completed` });
  return plan;
}

function planOf({ mf_investment_account }: Seed): object {
  return {
    ...{ mf_investment_account, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
    ...{ frequency: 'monthly', installment_day: 5, number_of_installments: 12 },
  };
}

function planRequests({ seed, plan }: Stage): Requests {
  const plans = '/v2/mf_redemption_plans';
  return {
    [`POST ${plans}`]: { path: plans, body: planOf(seed) },
    [`PATCH ${plans}`]: { path: plans, body: { id: plan, state: 'confirmed' } },
    [`PATCH ${plans}/{id}`]: { path: `${plans}/${plan}`, body: { state: 'confirmed' } },
    [`POST ${plans}/{id}/cancel`]: {
      path: `${plans}/${plan}/cancel`,
      body: { cancellation_code: 'invest_later' },
    },
    [`POST ${plans}/{id}/skip_instructions`]: {
      path: `${plans}/${plan}/skip_instructions`,
      body: { from: '2099-01-01' },
    },
    'POST /admin/holidays': {
      path: '/admin/holidays',
      body: { year: 2049, dates: ['2049-01-26'], source: 'a test' },
    },
  };
}

function webhookRequests({ webhook }: Stage): Requests {
  return {
    'POST /v2/notification_webhooks': {
      path: '/v2/notification_webhooks',
      body: { url: LOCAL, event: '*', status: 'enabled' },
    },
    'PUT /v2/notification_webhooks/{id}': {
      path: `/v2/notification_webhooks/${webhook}`,
      body: { url: LOCAL, events: ['*'] },
    },
    'POST /v2/notification_webhooks/{id}/replay': {
      path: `/v2/notification_webhooks/${webhook}/replay`,
      body: { from: '2026-11-20', to: '2026-11-21T10:00:00+05:30', events: ['payment.*'] },
    },
  };
}

function adminRequests({ order }: Stage): Requests {
  const settings = {
    operator_name: 'fundrail',
    verify_endpoints: false,
    rate_limits: { reads_per_second: 100 },
  };
  return {
    'POST /admin/tenants': { path: '/admin/tenants', body: { name: `after-${order.oldId}`, settings } },
    'PATCH /admin/tenants/{name}/settings': { path: '/admin/tenants/demo/settings', body: settings },
    'POST /admin/tenants/{tenant}/clients': { path: '/admin/tenants/demo/clients', body: { scope: '' } },
    'POST /sandbox/clock': { path: '/sandbox/clock', body: { advance: 'PT1S' } },
    'POST /sandbox/faults': {
      path: '/sandbox/faults',
      body: { target: 'gatewaypoa', operation: 'refund', kind: 'delay', times: 1 },
    },
  };
}
