import { waitFor, type WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { requestsOf, type Requests } from './operation-requests.ts';
import { activePlan } from './plan.ts';
import {
  ok,
  payableOrder,
  payablePayment,
  pendingRedemption,
  seedOf,
  untilOrder,
  untilPayment,
} from './purchase.ts';

/** A replay that contains no event. */
const NO_TIME = { from: '2020-01-01', to: '2020-01-01' };

/** Creates an object of the owner for each operation of the API that names one in its path or in its body, and requests it. */
export async function objectsOf(owner: ApiClient, receiver: WebhookReceiver): Promise<Requests> {
  const hook = await endpointOf(owner, receiver);
  const { mf_investment_account: account, bank_account_id, consent } = await seedOf(owner);
  const waiting = await payableOrder(owner);
  return {
    ...(await ofIdentity(owner, account)),
    ...(await ofOrders(owner, { account, consent, waiting: waiting.id })),
    ...(await ofPayments(owner, { bank_account_id, waiting: waiting.oldId })),
    ...(await ofPlans(owner, account)),
    ...(await ofPurchasePlans(owner, account, consent)),
    ...(await ofWebhooks(owner, hook)),
  };
}

async function endpointOf(owner: ApiClient, receiver: WebhookReceiver): Promise<string> {
  const endpoint = { url: receiver.url, events: ['*'] };
  return String(ok(await owner.post('/v2/notification_webhooks', endpoint)).body['id']);
}

async function ofIdentity(owner: ApiClient, account: string): Promise<Requests> {
  const { body: seed } = await owner.get('/sandbox/seed');
  const [profile, bank] = [String(seed['investor_profile']), String(seed['bank_account'])];
  const email = 'x@example.com';
  const account_number = '123456789';
  const details: [path: string, body: object][] = [
    ['/v2/phone_numbers', { profile, isd: '91', number: '9876543210' }],
    ['/v2/email_addresses', { profile, email }],
    ['/v2/addresses', { profile, line1: '1 Road', postal_code: '411001', country: 'IN' }],
    ['/v2/related_parties', { profile, name: 'Ravi', relationship: 'spouse' }],
  ];
  const ofDetails: Requests[] = [];
  for (const [path, body] of details) {
    const id = String(ok(await owner.post(path, body)).body['id']);
    ofDetails.push(requestsOf(id, { [`POST ${path}`]: body, [`GET ${path}/{id}`]: null }));
  }
  return {
    ...Object.fromEntries(ofDetails.flatMap((one) => Object.entries(one))),
    ...requestsOf(profile, {
      'GET /v2/investor_profiles/{id}': null,
      'GET /v2/investor_profiles/{id}/erasure': null,
      'POST /v2/investor_profiles/{id}/erasure': null,
      'GET /v2/investor_profiles/{id}/export': null,
      'PATCH /v2/investor_profiles/{id}': { email },
      'PATCH /v2/investor_profiles': { id: profile, email },
    }),
    ...requestsOf(bank, {
      'GET /v2/bank_accounts/{id}': null,
      'POST /v2/bank_accounts': {
        ...{ profile, primary_account_holder_name: 'X', account_number, type: 'savings' },
        ifsc_code: 'HDFC0000001',
      },
    }),
    ...requestsOf(account, {
      'GET /v2/mf_investment_accounts/{id}': null,
      'PATCH /v2/mf_investment_accounts/{id}': { folio_defaults: {} },
      'PATCH /v2/mf_investment_accounts': { id: account, folio_defaults: {} },
      'POST /v2/mf_investment_accounts': { primary_investor: profile },
    }),
  };
}

interface OfOrders {
  readonly account: string;
  readonly consent: object;
  /** The id of an order that is never paid. */
  readonly waiting: string;
}

async function ofOrders(owner: ApiClient, { account, consent, waiting }: OfOrders): Promise<Requests> {
  const { id: sold } = await pendingRedemption(owner);
  const purchase = { mf_investment_account: account, scheme: 'INF209K01VD7', amount: 100 };
  const redemption = { mf_investment_account: account, scheme: 'INF209K01VD7', folio_number: '91012345678' };
  return {
    ...requestsOf(waiting, {
      'GET /v2/mf_purchases/{id}': null,
      'PATCH /v2/mf_purchases/{id}': { state: 'confirmed' },
      'POST /v2/mf_purchases/{id}/cancel': null,
      'POST /v2/mf_purchases/{id}/retry': null,
      'PATCH /v2/mf_purchases': { id: waiting, consent },
      'PATCH /v2/mf_purchases/batch': { mf_purchases: [{ id: waiting, consent }] },
      'POST /v2/mf_purchases': purchase,
      'POST /v2/mf_purchases/batch': { mf_purchases: [purchase] },
    }),
    ...requestsOf(sold, {
      'GET /v2/mf_redemptions/{id}': null,
      'PATCH /v2/mf_redemptions/{id}': { consent, state: 'confirmed' },
      'POST /v2/mf_redemptions/{id}/cancel': null,
      'PATCH /v2/mf_redemptions': { id: sold, consent, state: 'confirmed' },
      'PATCH /v2/mf_redemptions/batch': { mf_redemptions: [{ id: sold, consent }] },
      'POST /v2/mf_redemptions': redemption,
      'POST /v2/mf_redemptions/batch': { mf_redemptions: [redemption] },
    }),
  };
}

interface OfPayments {
  readonly bank_account_id: unknown;
  /** The old id of an order that is never paid. */
  readonly waiting: number;
}

async function ofPayments(owner: ApiClient, { bank_account_id, waiting }: OfPayments): Promise<Requests> {
  const ofMandate = {
    mandate_type: 'UPI',
    bank_account_id,
    provider_name: 'GATEWAYPOA',
    mandate_limit: 5000,
  };
  const mandate = Number(ok(await owner.post('/api/pg/mandates', ofMandate)).body['id']);
  const order = await payableOrder(owner);
  const payment = await payablePayment(owner, [order]);
  await untilOrder(owner, order, 'submitted');
  await untilPayment(owner, payment, 'PENDING');
  return {
    ...requestsOf(payment, {
      'POST /api/pg/payments/netbanking': {
        ...{ amc_order_ids: [waiting], method: 'UPI', upi: { type: 'URI' } },
        payment_postback_url: 'http://localhost/',
      },
      'GET /api/pg/payments/{id}': null,
      'POST /api/pg/payments/{id}/cancel': null,
      'POST /api/pg/simulate/payments/{id}': { status: 'SUCCESS' },
    }),
    ...requestsOf(order.oldId, { 'POST /api/oms/simulate/orders/{old_id}': { status: 'failed' } }),
    ...requestsOf(mandate, {
      'POST /api/pg/payments/emandate/auth': { mandate_id: mandate, upi: { type: 'uri' } },
      'POST /api/pg/payments/nach': { mandate_id: mandate, amc_order_ids: [waiting] },
      'POST /api/pg/mandates': ofMandate,
      'GET /api/pg/mandates/{id}': null,
      'POST /api/pg/mandates/{id}/cancel': null,
      'POST /api/pg/simulate/mandates/{id}': { status: 'PAUSED' },
    }),
  };
}

/** An active plan with a skip instruction. */
async function ofPlans(owner: ApiClient, mf_investment_account: string): Promise<Requests> {
  const plans = '/v2/mf_redemption_plans';
  const aPlan = {
    ...{ mf_investment_account, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
    ...{ frequency: 'monthly', installment_day: 5, number_of_installments: 12 },
  };
  const id = await activePlan(owner, { amount: 1000, number_of_installments: 12 });
  const skipped = ok(await owner.post(`${plans}/${id}/skip_instructions`, { from: '2099-01-01' }));
  const skip = String(skipped.body['id']);
  const ofSkip = requestsOf(skip, { [`POST ${plans}/skip_instructions/{id}/cancel`]: null });
  const ofPlan = requestsOf(id, {
    [`GET ${plans}/{id}`]: null,
    [`POST ${plans}`]: aPlan,
    [`PATCH ${plans}`]: { id, state: 'confirmed' },
    [`PATCH ${plans}/{id}`]: { state: 'confirmed' },
    [`POST ${plans}/{id}/cancel`]: { cancellation_code: 'invest_later' },
    [`GET ${plans}/{id}/skip_instructions`]: null,
    [`POST ${plans}/{id}/skip_instructions`]: { from: '2099-01-01' },
  });
  return { ...ofPlan, ...ofSkip };
}

/** An active purchase plan that is paused. */
async function ofPurchasePlans(
  owner: ApiClient,
  mf_investment_account: string,
  consent: object,
): Promise<Requests> {
  const plans = '/v2/mf_purchase_plans';
  const aPlan = {
    ...{ mf_investment_account, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
    ...{ frequency: 'monthly', installment_day: 5, number_of_installments: 12 },
  };
  const id = String(ok(await owner.post(plans, { ...aPlan, consent })).body['id']);
  const isActive = async () => (await owner.get(`${plans}/${id}`)).body['state'] === 'active';
  await waitFor(isActive, { limitMs: 60_000, what: `plan ${id} to be active` });
  const skip = String(ok(await owner.post(`${plans}/${id}/pause`, { installments: 1 })).body['id']);
  const cancellation = { cancellation_code: 'invest_later' };
  const change = { consent, amount: 2000 };
  return {
    ...requestsOf(skip, {
      [`GET ${plans}/skip_instructions/{id}`]: null,
      [`POST ${plans}/skip_instructions/{id}/cancel`]: null,
    }),
    ...requestsOf(id, {
      [`GET ${plans}/{id}`]: null,
      [`POST ${plans}`]: aPlan,
      [`POST ${plans}/batch`]: { mf_purchase_plans: [aPlan] },
      [`PATCH ${plans}`]: { id, ...change },
      [`PATCH ${plans}/{id}`]: change,
      [`PATCH ${plans}/batch`]: { mf_purchase_plans: [{ id, ...change }] },
      [`POST ${plans}/cancel`]: { id, ...cancellation },
      [`POST ${plans}/{id}/cancel`]: cancellation,
      [`POST ${plans}/{id}/pause`]: { installments: 1 },
      [`POST ${plans}/{id}/resume`]: null,
      [`GET ${plans}/{id}/skip_instructions`]: null,
      [`POST ${plans}/{id}/skip_instructions`]: { from: '2099-01-01', to: '2099-02-01' },
    }),
  };
}

async function ofWebhooks(owner: ApiClient, hook: string): Promise<Requests> {
  const event = await waitFor(
    async () => (await owner.get('/v2/events?limit=1')).body['data'] as { id: string }[],
  );
  const deliveries = `/v2/notification_webhooks/${hook}/deliveries`;
  const delivery = await waitFor(
    async () => ((await owner.get(deliveries)).body['data'] as { id: string }[])[0],
  );
  const replays = '/v2/notification_webhooks/{id}/replays';
  const replay = (await owner.post(`/v2/notification_webhooks/${hook}/replay`, NO_TIME)).body['id'];
  const ofReplay = `/v2/notification_webhooks/${hook}/replays/${String(replay)}`;
  return {
    ...requestsOf(event[0]?.id ?? '', { 'GET /v2/events/{id}': null }),
    ...requestsOf(hook, {
      'GET /v2/notification_webhooks/{id}': null,
      'PUT /v2/notification_webhooks/{id}': { status: 'disabled' },
      'DELETE /v2/notification_webhooks/{id}': null,
      'POST /v2/notification_webhooks/{id}/test': null,
      'POST /v2/notification_webhooks/{id}/verify': null,
      'POST /v2/notification_webhooks/{id}/rotate_secret': null,
      'POST /v2/notification_webhooks/{id}/replay': NO_TIME,
      'GET /v2/notification_webhooks/{id}/replays': null,
      'GET /v2/notification_webhooks/{id}/deliveries': null,
    }),
    [`GET ${replays}/{replay}`]: { path: ofReplay },
    [`POST ${replays}/{replay}/cancel`]: { path: `${ofReplay}/cancel` },
    ...requestsOf(delivery.id, {
      'GET /v2/webhook_deliveries/{id}': null,
      'POST /v2/webhook_deliveries/{id}/retry': null,
    }),
  };
}
