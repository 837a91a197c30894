import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { requestsOf, type Requests } from './operation-requests.ts';
import { ok, payableOrder, pendingRedemption, seedOf, type Order, type Seed } from './purchase.ts';

interface Stage {
  readonly seed: Seed;
  /** A pending order with its consent. */
  readonly order: Order;
  readonly redemption: Order;
  readonly webhook: string;
  /** A redemption plan. */
  readonly plan: string;
  readonly purchasePlan: string;
  /** A mandate that may be authorised. */
  readonly mandate: number;
}

const ADDRESS = { line1: '1 Road', city: 'Pune', postal_code: '411001', country: 'IN' };
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
  const plan = await reviewedPlan(client, '/v2/mf_redemption_plans', seed);
  const purchasePlan = await reviewedPlan(client, '/v2/mf_purchase_plans', seed);
  const stage = {
    seed,
    order,
    redemption,
    mandate,
    plan,
    purchasePlan,
    webhook: String(ok(endpoint).body['id']),
  };
  return {
    ...investorRequests(stage),
    ...accountRequests(stage),
    ...orderRequests(stage),
    ...redemptionRequests(stage),
    ...paymentRequests(stage),
    ...mandateRequests(stage),
    ...planRequests(stage),
    ...purchasePlanRequests(stage),
    ...webhookRequests(stage),
    ...adminRequests(stage),
  };
}

function investorRequests({ seed: { investor_profile: id } }: Stage): Requests {
  const email = 'asha@example.com';
  const mobile = { isd_code: '91', number: '9876543210' };
  return requestsOf(id, {
    'POST /v2/investor_profiles': {
      ...{ name: 'Asha', pan: 'ABCPR1234K', date_of_birth: '1990-05-17', mobile },
    },
    'PATCH /v2/investor_profiles': { id, email },
    'POST /v2/phone_numbers': { profile: id, isd: '91', number: '9876543210', belongs_to: 'self' },
    'POST /v2/email_addresses': { profile: id, email, belongs_to: 'self' },
    'POST /v2/addresses': { profile: id, ...ADDRESS, nature: 'residential' },
    'POST /v2/related_parties': {
      ...{ profile: id, name: 'Ravi', relationship: 'spouse', pan: 'ABCPS1234K', address: ADDRESS },
      phone_number: { isd: '91', number: '9876543210' },
    },
    'PATCH /v2/investor_profiles/{id}': { email },
  });
}

function accountRequests({ seed }: Stage): Requests {
  const { investor_profile: investor, mf_investment_account: id, bank_account } = seed;
  const folio_defaults = {
    communication_email_address: 'asha@example.com',
    payout_bank_account: bank_account,
  };
  return requestsOf(id, {
    'POST /v2/bank_accounts': {
      ...{ profile: investor, primary_account_holder_name: 'Asha', account_number: '123456789' },
      ...{ type: 'savings', ifsc_code: 'HDFC0000001' },
    },
    'POST /v2/mf_investment_accounts': {
      ...{ primary_investor: investor, holding_pattern: 'single', folio_defaults },
    },
    'PATCH /v2/mf_investment_accounts': { id, folio_defaults },
    'PATCH /v2/mf_investment_accounts/{id}': { folio_defaults },
  });
}

function orderRequests({ seed, order: { id, oldId } }: Stage): Requests {
  const { mf_investment_account, consent } = seed;
  const purchase = { mf_investment_account, scheme: 'INF209K01VD7', amount: 5000 };
  const confirmation = { id, state: 'confirmed' };
  const ofOrder = requestsOf(id, {
    'POST /v2/mf_purchases': { ...purchase, source_ref_id: `after ${id}` },
    'POST /v2/mf_purchases/batch': {
      mf_purchases: [{ ...purchase, source_ref_id: `batch after ${id}` }],
    },
    'PATCH /v2/mf_purchases': confirmation,
    'PATCH /v2/mf_purchases/{id}': { consent },
    'PATCH /v2/mf_purchases/batch': { mf_purchases: [confirmation] },
  });
  return {
    ...ofOrder,
    ...requestsOf(oldId, { 'POST /api/oms/simulate/orders/{old_id}': { status: 'failed' } }),
  };
}

function redemptionRequests({ seed, redemption: { id } }: Stage): Requests {
  const { mf_investment_account, consent } = seed;
  const valid = { mf_investment_account, scheme: 'INF209K01VD7', folio_number: '91012345678', units: 3 };
  const change = { id, state: 'confirmed' };
  return requestsOf(id, {
    'POST /v2/mf_redemptions': valid,
    'POST /v2/mf_redemptions/batch': { mf_redemptions: [valid] },
    'PATCH /v2/mf_redemptions': change,
    'PATCH /v2/mf_redemptions/{id}': { consent },
    'PATCH /v2/mf_redemptions/batch': { mf_redemptions: [change] },
  });
}

function paymentRequests({ seed: { bank_account_id }, order }: Stage): Requests {
  const amc_order_ids = [order.oldId];
  return requestsOf(1, {
    'POST /api/pg/payments/netbanking': {
      ...{ amc_order_ids, method: 'UPI', upi: { type: 'URI' }, bank_account_id },
      payment_postback_url: LOCAL,
    },
    'POST /api/pg/payments/{id}/refunds': { amc_order_ids },
    'POST /api/pg/simulate/payments/{id}': { status: 'FAILED' },
  });
}

function mandateOf({ bank_account_id }: Seed): object {
  return { mandate_type: 'upi', bank_account_id, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
}

function mandateRequests({ seed, order, mandate }: Stage): Requests {
  return requestsOf(1, {
    'POST /api/pg/mandates': mandateOf(seed),
    'POST /api/pg/payments/emandate/auth': {
      ...{ mandate_id: mandate, upi: { type: 'uri' }, payment_postback_url: LOCAL },
    },
    'POST /api/pg/payments/nach': { mandate_id: mandate, amc_order_ids: [order.oldId] },
    'POST /api/pg/simulate/mandates/{id}': { status: 'PAUSED' },
  });
}

/** A plan that waits for its consent: only its client can change its state. */
async function reviewedPlan(client: ApiClient, plans: string, seed: Seed): Promise<string> {
  const plan = String(ok(await client.post(plans, planOf(seed))).body['id']);
  const isReviewed = async () => (await client.get(`${plans}/${plan}`)).body['state'] === 'review_completed';
  await waitFor(isReviewed, { what: `plan ${plan} to be review_completed` });
  return plan;
}

function planOf({ mf_investment_account }: Seed): object {
  return {
    ...{ mf_investment_account, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
    ...{ frequency: 'monthly', installment_day: 5, number_of_installments: 12 },
  };
}

function planRequests({ seed, plan: id }: Stage): Requests {
  return requestsOf(id, {
    'POST /v2/mf_redemption_plans': planOf(seed),
    'PATCH /v2/mf_redemption_plans': { id, state: 'confirmed' },
    'PATCH /v2/mf_redemption_plans/{id}': { state: 'confirmed' },
    'POST /v2/mf_redemption_plans/{id}/cancel': { cancellation_code: 'invest_later' },
    'POST /v2/mf_redemption_plans/{id}/skip_instructions': { from: '2099-01-01' },
    'POST /admin/holidays': { year: 2049, dates: ['2049-01-26'], source: 'a test' },
  });
}

function purchasePlanRequests({ seed, purchasePlan: id }: Stage): Requests {
  const confirmation = { id, state: 'confirmed' };
  return requestsOf(id, {
    'POST /v2/mf_purchase_plans': planOf(seed),
    'POST /v2/mf_purchase_plans/batch': { mf_purchase_plans: [planOf(seed)] },
    'PATCH /v2/mf_purchase_plans': confirmation,
    'PATCH /v2/mf_purchase_plans/{id}': { state: 'confirmed' },
    'PATCH /v2/mf_purchase_plans/batch': { mf_purchase_plans: [confirmation] },
    'POST /v2/mf_purchase_plans/cancel': { id, cancellation_code: 'invest_later' },
    'POST /v2/mf_purchase_plans/{id}/cancel': { cancellation_code: 'invest_later' },
    'POST /v2/mf_purchase_plans/{id}/pause': { installments: 1 },
    'POST /v2/mf_purchase_plans/{id}/skip_instructions': { from: '2099-01-01', to: '2099-02-01' },
  });
}

function webhookRequests({ webhook: id }: Stage): Requests {
  return requestsOf(id, {
    'POST /v2/notification_webhooks': { url: LOCAL, event: '*', status: 'enabled' },
    'PUT /v2/notification_webhooks/{id}': { url: LOCAL, events: ['*'] },
    'POST /v2/notification_webhooks/{id}/replay': {
      ...{ from: '2026-11-20', to: '2026-11-21T10:00:00+05:30', events: ['payment.*'] },
    },
  });
}

function adminRequests({ order }: Stage): Requests {
  const settings = {
    operator_name: 'fundrail',
    verify_endpoints: false,
    rate_limits: { reads_per_second: 100 },
  };
  return requestsOf('demo', {
    'POST /admin/tenants': { name: `after-${order.oldId}`, settings },
    'PATCH /admin/tenants/{name}/settings': settings,
    'POST /admin/tenants/{tenant}/clients': { scope: '' },
    'POST /sandbox/clock': { advance: 'PT1S' },
    'POST /sandbox/faults': { target: 'gatewaypoa', operation: 'refund', kind: 'delay', times: 1 },
  });
}
