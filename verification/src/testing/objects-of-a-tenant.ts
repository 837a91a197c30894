import { waitFor, type WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
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

/** The path with its parameters filled in, and the body, of an operation on an object. */
export type ObjectOf = readonly [path: string, body?: object];
type Objects = Record<string, ObjectOf>;

/** A replay that contains no event. */
const NO_TIME = { from: '2020-01-01', to: '2020-01-01' };

/** Creates an object of the owner for each operation of the API that names one in its path or in its body. */
export async function objectsOf(owner: ApiClient, receiver: WebhookReceiver): Promise<Objects> {
  const hook = await endpointOf(owner, receiver);
  const { mf_investment_account: account, bank_account_id, consent } = await seedOf(owner);
  const waiting = await payableOrder(owner);
  return {
    ...(await ofIdentity(owner, account)),
    ...(await ofOrders(owner, { account, consent, waiting: waiting.id })),
    ...(await ofPayments(owner, { bank_account_id, waiting: waiting.oldId })),
    ...(await ofPlans(owner, account)),
    ...(await ofWebhooks(owner, hook)),
  };
}

async function endpointOf(owner: ApiClient, receiver: WebhookReceiver): Promise<string> {
  const endpoint = { url: receiver.url, events: ['*'] };
  return String(ok(await owner.post('/v2/notification_webhooks', endpoint)).body['id']);
}

async function ofIdentity(owner: ApiClient, account: string): Promise<Objects> {
  const { body: seed } = await owner.get('/sandbox/seed');
  const [profile, bank] = [String(seed['investor_profile']), String(seed['bank_account'])];
  return {
    'GET /v2/investor_profiles/{id}': [`/v2/investor_profiles/${profile}`],
    'PATCH /v2/investor_profiles/{id}': [`/v2/investor_profiles/${profile}`, { email: 'x@example.com' }],
    'PATCH /v2/investor_profiles': ['/v2/investor_profiles', { id: profile, email: 'x@example.com' }],
    'GET /v2/bank_accounts/{id}': [`/v2/bank_accounts/${bank}`],
    'POST /v2/bank_accounts': [
      '/v2/bank_accounts',
      {
        profile,
        primary_account_holder_name: 'X',
        account_number: '123456789',
        type: 'savings',
        ifsc_code: 'HDFC0000001',
      },
    ],
    'GET /v2/mf_investment_accounts/{id}': [`/v2/mf_investment_accounts/${account}`],
    'PATCH /v2/mf_investment_accounts/{id}': [
      `/v2/mf_investment_accounts/${account}`,
      { folio_defaults: {} },
    ],
    'PATCH /v2/mf_investment_accounts': ['/v2/mf_investment_accounts', { id: account, folio_defaults: {} }],
    'POST /v2/mf_investment_accounts': ['/v2/mf_investment_accounts', { primary_investor: profile }],
  };
}

interface OfOrders {
  readonly account: string;
  readonly consent: object;
  /** The id of an order that is never paid. */
  readonly waiting: string;
}

async function ofOrders(owner: ApiClient, { account, consent, waiting }: OfOrders): Promise<Objects> {
  const purchase = `/v2/mf_purchases/${waiting}`;
  const { id: sold } = await pendingRedemption(owner);
  const redemption = { mf_investment_account: account, scheme: 'INF209K01VD7', folio_number: '91012345678' };
  return {
    'GET /v2/mf_purchases/{id}': [purchase],
    'PATCH /v2/mf_purchases/{id}': [purchase, { state: 'confirmed' }],
    'POST /v2/mf_purchases/{id}/cancel': [`${purchase}/cancel`],
    'PATCH /v2/mf_purchases': ['/v2/mf_purchases', { id: waiting, consent }],
    'PATCH /v2/mf_purchases/batch': ['/v2/mf_purchases/batch', { mf_purchases: [{ id: waiting, consent }] }],
    'POST /v2/mf_purchases': [
      '/v2/mf_purchases',
      { mf_investment_account: account, scheme: 'INF209K01VD7', amount: 100 },
    ],
    'POST /v2/mf_purchases/batch': [
      '/v2/mf_purchases/batch',
      { mf_purchases: [{ mf_investment_account: account, scheme: 'INF209K01VD7', amount: 100 }] },
    ],
    'GET /v2/mf_redemptions/{id}': [`/v2/mf_redemptions/${sold}`],
    'PATCH /v2/mf_redemptions/{id}': [`/v2/mf_redemptions/${sold}`, { consent, state: 'confirmed' }],
    'POST /v2/mf_redemptions/{id}/cancel': [`/v2/mf_redemptions/${sold}/cancel`],
    'PATCH /v2/mf_redemptions': ['/v2/mf_redemptions', { id: sold, consent, state: 'confirmed' }],
    'PATCH /v2/mf_redemptions/batch': [
      '/v2/mf_redemptions/batch',
      { mf_redemptions: [{ id: sold, consent }] },
    ],
    'POST /v2/mf_redemptions': ['/v2/mf_redemptions', redemption],
    'POST /v2/mf_redemptions/batch': ['/v2/mf_redemptions/batch', { mf_redemptions: [redemption] }],
  };
}

interface OfPayments {
  readonly bank_account_id: unknown;
  /** The old id of an order that is never paid. */
  readonly waiting: number;
}

async function ofPayments(owner: ApiClient, { bank_account_id, waiting }: OfPayments): Promise<Objects> {
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
    'POST /api/pg/payments/netbanking': [
      '/api/pg/payments/netbanking',
      {
        amc_order_ids: [waiting],
        method: 'UPI',
        upi: { type: 'URI' },
        payment_postback_url: 'http://localhost/',
      },
    ],
    'POST /api/pg/payments/emandate/auth': [
      '/api/pg/payments/emandate/auth',
      { mandate_id: mandate, upi: { type: 'uri' } },
    ],
    'POST /api/pg/payments/nach': [
      '/api/pg/payments/nach',
      { mandate_id: mandate, amc_order_ids: [waiting] },
    ],
    'GET /api/pg/payments/{id}': [`/api/pg/payments/${payment}`],
    'POST /api/pg/payments/{id}/cancel': [`/api/pg/payments/${payment}/cancel`],
    'POST /api/pg/simulate/payments/{id}': [`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }],
    'POST /api/oms/simulate/orders/{old_id}': [
      `/api/oms/simulate/orders/${order.oldId}`,
      { status: 'failed' },
    ],
    'POST /api/pg/mandates': ['/api/pg/mandates', ofMandate],
    'GET /api/pg/mandates/{id}': [`/api/pg/mandates/${mandate}`],
    'POST /api/pg/mandates/{id}/cancel': [`/api/pg/mandates/${mandate}/cancel`],
    'POST /api/pg/simulate/mandates/{id}': [`/api/pg/simulate/mandates/${mandate}`, { status: 'PAUSED' }],
  };
}

/** An active plan with a skip instruction. */
async function ofPlans(owner: ApiClient, mf_investment_account: string): Promise<Objects> {
  const plans = '/v2/mf_redemption_plans';
  const aPlan = {
    ...{ mf_investment_account, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
    ...{ frequency: 'monthly', installment_day: 5, number_of_installments: 12 },
  };
  const id = await activePlan(owner, { amount: 1000, number_of_installments: 12 });
  const skipped = ok(await owner.post(`${plans}/${id}/skip_instructions`, { from: '2099-01-01' }));
  const skip = String(skipped.body['id']);
  return {
    'GET /v2/mf_redemption_plans/{id}': [`${plans}/${id}`],
    'POST /v2/mf_redemption_plans': [plans, aPlan],
    'PATCH /v2/mf_redemption_plans': [plans, { id, state: 'confirmed' }],
    'PATCH /v2/mf_redemption_plans/{id}': [`${plans}/${id}`, { state: 'confirmed' }],
    'POST /v2/mf_redemption_plans/{id}/cancel': [
      `${plans}/${id}/cancel`,
      { cancellation_code: 'invest_later' },
    ],
    'GET /v2/mf_redemption_plans/{id}/skip_instructions': [`${plans}/${id}/skip_instructions`],
    'POST /v2/mf_redemption_plans/{id}/skip_instructions': [
      `${plans}/${id}/skip_instructions`,
      { from: '2099-01-01' },
    ],
    'POST /v2/mf_redemption_plans/skip_instructions/{id}/cancel': [
      `${plans}/skip_instructions/${skip}/cancel`,
    ],
  };
}

async function ofWebhooks(owner: ApiClient, hook: string): Promise<Objects> {
  const event = await waitFor(
    async () => (await owner.get('/v2/events?limit=1')).body['data'] as { id: string }[],
  );
  const deliveries = `/v2/notification_webhooks/${hook}/deliveries`;
  const delivery = await waitFor(
    async () => ((await owner.get(deliveries)).body['data'] as { id: string }[])[0],
  );
  const replays = `/v2/notification_webhooks/${hook}/replays`;
  const replay = (await owner.post(replays.slice(0, -1), NO_TIME)).body['id'];
  return {
    'GET /v2/events/{id}': [`/v2/events/${event[0]?.id ?? ''}`],
    'GET /v2/notification_webhooks/{id}': [`/v2/notification_webhooks/${hook}`],
    'PUT /v2/notification_webhooks/{id}': [`/v2/notification_webhooks/${hook}`, { status: 'disabled' }],
    'DELETE /v2/notification_webhooks/{id}': [`/v2/notification_webhooks/${hook}`],
    'POST /v2/notification_webhooks/{id}/test': [`/v2/notification_webhooks/${hook}/test`],
    'POST /v2/notification_webhooks/{id}/verify': [`/v2/notification_webhooks/${hook}/verify`],
    'POST /v2/notification_webhooks/{id}/rotate_secret': [`/v2/notification_webhooks/${hook}/rotate_secret`],
    'POST /v2/notification_webhooks/{id}/replay': [replays.slice(0, -1), NO_TIME],
    'GET /v2/notification_webhooks/{id}/replays': [replays],
    'GET /v2/notification_webhooks/{id}/replays/{replay}': [`${replays}/${String(replay)}`],
    'POST /v2/notification_webhooks/{id}/replays/{replay}/cancel': [`${replays}/${String(replay)}/cancel`],
    'GET /v2/notification_webhooks/{id}/deliveries': [deliveries],
    'GET /v2/webhook_deliveries/{id}': [`/v2/webhook_deliveries/${delivery.id}`],
    'POST /v2/webhook_deliveries/{id}/retry': [`/v2/webhook_deliveries/${delivery.id}/retry`],
  };
}
