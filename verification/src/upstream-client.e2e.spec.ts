import { waitFor, WebhookReceiver } from '@fundrail/testing';
import { createHmac } from 'node:crypto';
import { ApiClient } from './testing/api-client.ts';
import { untilMandate } from './testing/mandate.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, untilOrder, untilPayment, type Order } from './testing/purchase.ts';

/** What a client of the upstream sends with each order (COMP-2, ORD-31). */
const HABITS = {
  user_ip: '103.21.124.1',
  server_ip: '103.21.124.2',
  initiated_by: 'investor',
  initiated_via: 'mobile_app',
};
const SCHEME = 'INF209K01VD7';
const BACK = 'http://localhost:8080/done';

describeProducts('a client that was written for the upstream interface (COMP-5, COMP-10)', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let client: ApiClient;
  /** As the client finds them, without any other knowledge of the sandbox. */
  let account: string;
  let bank: number;
  const consent = { email: 'asha.rao@example.com', isd_code: '91', mobile: '9876543210' };

  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await ApiClient.signIn(product.url, {
      tenant: 'demo-upstream',
      id: 'demo',
      secret: 'demo-secret',
    });
    const found = await rows('/v2/mf_investment_accounts?primary_investor_pan=abcpr1234k');
    account = String(found[0]?.['id']);
    bank = Number((await rows('/v2/bank_accounts?size=1'))[0]?.['old_id']);
    const hook = await post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] });
    receiver.secret = String(hook['secret']);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });

  const post = async (path: string, body: object) => ok(await client.post(path, body)).body;
  const patch = async (path: string, body: object) => ok(await client.patch(path, body)).body;
  const get = async (path: string) => ok(await client.get(path)).body;
  const rows = async (path: string) => (await get(path))['data'] as Record<string, unknown>[];
  const orderOf = ({ id, old_id }: Record<string, unknown>): Order => ({
    id: String(id),
    oldId: Number(old_id),
  });
  const purchased = (more: object = {}) =>
    post('/v2/mf_purchases', {
      ...{ mf_investment_account: account, scheme: SCHEME, amount: '5000.00', gateway: 'ondc' },
      ...HABITS,
      ...more,
    });
  /** A purchase that is submitted before any payment of it exists (COMP-7). */
  const submitted = async (more: object = {}): Promise<Order> => {
    const order = orderOf(await purchased(more));
    await untilOrder(client, order, 'pending');
    await patch('/v2/mf_purchases', { id: order.id, consent });
    await patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' });
    await untilOrder(client, order, 'submitted');
    return order;
  };
  const pay = (order: Order, more: object) =>
    post('/api/pg/payments/netbanking', {
      ...{ amc_order_ids: [String(order.oldId)], bank_account_id: String(bank), payment_postback_url: BACK },
      ...more,
    });

  const approvedMandate = async (): Promise<number> => {
    const mandate = Number((await post('/api/pg/mandates', mandateOf(bank)))['id']);
    // Not authorised: the simulate route does that (COMP-13).
    for (const status of ['created', 'Submitted', 'RECEIVED', 'APPROVED'])
      await post(`/api/pg/simulate/mandates/${mandate}`, { status });
    await untilMandate(client, mandate, 'APPROVED');
    return mandate;
  };

  it('buys, from the creation to the successful order, and reads its own words all along', async () => {
    const made = await purchased();
    const theirs = { gateway: 'cybrillapoa', type: 'purchase', allotted_nav_date: null, retried_at: null };
    expect(made).toMatchObject({ object: 'mf_purchase', state: 'under_review', amount: 5000, ...theirs });
    const order = orderOf(made);
    await untilOrder(client, order, 'pending');
    await patch('/v2/mf_purchases', { id: order.id, consent });
    expect(await patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' })).toMatchObject({
      ...{ state: 'confirmed', payment_id: null },
      ...theirs,
    });
    await untilOrder(client, order, 'submitted');

    const { id } = await pay(order, { method: 'UPI', provider_name: 'ONDC', upi: { type: 'URI' } });
    const path = `/api/pg/payments/${String(id)}`;
    await waitFor(async () => ((await get(path))['upi'] as { uri: string | null }).uri);
    await post(`/api/pg/simulate/payments/${String(id)}`, { status: 'Success' });
    await untilPayment(client, Number(id), 'APPROVED');
    await untilOrder(client, order, 'successful');
    expect(await get(path)).toMatchObject({ provider_name: 'CYBRILLAPOA', amc_order_ids: [order.oldId] });
    expect(await get(`/v2/mf_purchases/${order.oldId}`)).toMatchObject({ payment_id: id, ...theirs });

    const last = await receiver.next(
      ({ body }) => body.type === 'mf_purchase.successful' && body.data.object['id'] === order.id,
    );
    expect(last.body.data.object).toMatchObject({ object: 'mf_purchase', ...theirs });
    const signed = createHmac('sha256', receiver.secret ?? '').update(JSON.stringify(last.body));
    expect(last.headers['fp-signature']).toMatch(/^ntwhsc_[0-9a-f]{32}:/);
    expect(String(last.headers['fp-signature']).split(':')[1]).toBe(signed.digest('base64'));
    const approved = await receiver.next(
      ({ body }) => body.type === 'payment.approved' && body.data.object['id'] === id,
    );
    expect(approved.body.data.object).toMatchObject({ object: 'payment', provider_name: 'CYBRILLAPOA' });
    expect(receiver.received.filter(({ verified }) => verified !== true)).toEqual([]);
  });

  it.each([
    ['net banking at its gateway', { method: 'NETBANKING', provider_name: 'CYBRILLAPOA' }],
    ['net banking by its SDK', { method: 'NETBANKING', provider_name: 'RAZORPAY' }],
    ['net banking without a provider', { method: 'NETBANKING' }],
    ['UPI without `upi`', { method: 'UPI' }],
  ])('pays by %s, and gets the page', async (_, how) => {
    const made = await pay(await submitted(), how);
    expect(made).toMatchObject({ id: expect.any(Number), token_url: expect.stringMatching(/^http/) });
    expect((await fetch(String(made['token_url']))).status).toBe(200);
  });

  it('gets SDK options under its name for the provider (COMP-3)', async () => {
    const { sdk_options } = await pay(await submitted(), { method: 'NETBANKING' });
    expect(sdk_options).toEqual({ razorpay: expect.objectContaining({ amount: 500_000 }) });
  });

  it('authorises a mandate without a provider and without `upi`, on the page', async () => {
    const { id, mandate_ref } = await post('/api/pg/mandates', {
      ...{ mandate_type: 'UPI', bank_account_id: String(bank), mandate_limit: '5000' },
    });
    expect(mandate_ref).toMatch(/^man_/);
    expect(await get(`/api/pg/mandates/${String(id)}`)).toMatchObject({ provider_name: 'CYBRILLAPOA' });
    const { token_url } = await post('/api/pg/payments/emandate/auth', {
      ...{ mandate_id: id, payment_postback_url: BACK },
    });
    expect((await fetch(String(token_url))).status).toBe(200);
  });

  it('gets an e-mandate at the provider that has them, and a refusal in its own names at the other (COMP-9, MAN-24)', async () => {
    const asked = { mandate_type: 'E_MANDATE', bank_account_id: bank, mandate_limit: 5000 };
    const { id } = await post('/api/pg/mandates', asked);
    expect(await get(`/api/pg/mandates/${String(id)}`)).toMatchObject({ provider_name: 'RAZORPAY' });
    for (const status of ['SUBMITTED', 'RECEIVED', 'APPROVED'])
      await post(`/api/pg/simulate/mandates/${String(id)}`, { status });
    await untilMandate(client, Number(id), 'APPROVED');
    const { status, body } = await client.post('/api/pg/mandates', { ...asked, provider_name: 'ONDC' });
    const message = 'CYBRILLAPOA takes no mandates of type E_MANDATE';
    expect([status, body]).toMatchObject([400, { error: { code: 'PROVIDER_REFUSED', message } }]);
  });

  it('pays by a mandate, whose steps it simulates in its letter case', async () => {
    const mandate = await approvedMandate();
    const order = await submitted({ amount: 2500 });
    const payment = Number(
      (await post('/api/pg/payments/nach', { mandate_id: mandate, amc_order_ids: [order.oldId] }))['id'],
    );
    expect(await get(`/api/pg/payments/${payment}`)).toMatchObject({
      ...{ payment_type: 'NACH', mandate_id: mandate, provider_name: 'CYBRILLAPOA' },
    });
    const { body } = await receiver.next(
      (hook) => hook.body.type === 'mandate.approved' && hook.body.data.object['id'] === mandate,
    );
    expect(body.data.object).toMatchObject({ object: 'mandate', provider_name: 'CYBRILLAPOA' });
  });

  it('redeems in the normal mode, with consent and state in one request', async () => {
    const made = await post('/v2/mf_redemptions', {
      ...{ mf_investment_account: account, scheme: SCHEME, folio_number: '91012345678', amount: '1500.5' },
      ...{ gateway: 'rta', redemption_mode: 'normal', ...HABITS },
    });
    const theirs = { gateway: 'cybrillapoa', redemption_mode: 'normal', redeemed_nav_date: null };
    expect(made).toMatchObject({ state: 'under_review', amount: 1500.5, ...theirs });
    const order = orderOf(made);
    await untilOrder(client, order, 'pending');
    await patch('/v2/mf_redemptions', { id: order.id, state: 'confirmed', consent });
    await untilOrder(client, order, 'successful');
    expect(await get(`/v2/mf_redemptions/${order.id}`)).toMatchObject(theirs);
  });

  it('plans withdrawals, and names the plan by its own prefix', async () => {
    const made = await post('/v2/mf_redemption_plans', {
      ...{ mf_investment_account: account, scheme: SCHEME, amount: 1000, folio_number: '91012345678' },
      ...{ systematic: true, frequency: 'monthly', installment_day: '5', number_of_installments: '12' },
      ...{ gateway: 'rta', purpose: 'pension', consent, ...HABITS },
    });
    const theirs = { gateway: 'cybrillapoa', requested_activation_date: null, auto_cancelled: null };
    expect(made).toMatchObject({ object: 'mf_redemption_plan', ...theirs });
    const asTheirs = String(made['id']).replace(/^mfr_/, 'mfrp_');
    await waitFor(async () => (await get(`/v2/mf_redemption_plans/${asTheirs}`))['state'] === 'active');
    expect(await rows(`/v2/mf_redemptions?plan=${asTheirs}`)).toEqual([]);
  });

  it('plans purchases by a mandate, in a batch, and sends numbers as texts (CONV-40)', async () => {
    const plan = {
      ...{ mf_investment_account: account, scheme: SCHEME, amount: '1000', gateway: 'ondc', consent },
      ...{ systematic: true, frequency: 'monthly', installment_day: '5', number_of_installments: '30' },
      ...{ payment_method: 'mandate', payment_source: String(await approvedMandate()), ...HABITS },
    };
    const { data } = await post('/v2/mf_purchase_plans/batch', { mf_purchase_plans: [plan] });
    const [made] = data as Record<string, unknown>[];
    expect(made).toMatchObject({
      ...{ object: 'mf_purchase_plan', amount: 1000, installment_day: 5, number_of_installments: 30 },
      ...{ gateway: 'cybrillapoa', payment_source: plan.payment_source, requested_activation_date: null },
    });
    const path = `/v2/mf_purchase_plans/${String(made?.['id'])}`;
    await waitFor(async () => (await get(path))['state'] === 'active');
  });

  it('filters lists in its own words, and pages them by `size` and by `limit`', async () => {
    const more = await purchased({ folio_number: '12345678/01', gateway: 'cybrillapoa' });
    const listed = async (query: string) => await rows(`/v2/mf_purchases?${query}`);
    expect((await listed('type=additional_purchase&size=1')).map(({ id }) => id)).toEqual([more['id']]);
    const oldest = await listed(
      `type=purchase&direction=asc&limit=1&states=successful,submitted&mf_investment_account=${account}`,
    );
    expect(oldest).toMatchObject([{ type: 'purchase', gateway: 'cybrillapoa' }]);
    const ids = async (query: string) =>
      ((await get(`/api/pg/payments?${query}`))['payments'] as { id: number }[]).map(({ id }) => id);
    expect(await ids('direction=ASC&size=100')).toEqual((await ids('size=100')).toReversed());
    for (const [list, size] of [
      ['payments', 'size'],
      ['payments', 'limit'],
      ['mandates', 'limit'],
    ] as const)
      expect((await get(`/api/pg/${list}?${size}=1`))[list]).toEqual([
        expect.objectContaining({ provider_name: expect.stringMatching(/^(CYBRILLAPOA|RAZORPAY)$/) }),
      ]);
  });

  it('subscribes to events that we do not have, with a warning, and acts on 400 alone (COMP-8, COMP-9)', async () => {
    const events = ['mf_purchase.successful', 'kyc_request.updated'];
    const hook = await post('/v2/notification_webhooks', { url: receiver.url, events, status: 'disabled' });
    expect(hook).toMatchObject({ events, warnings: [expect.stringMatching(/^kyc_request.updated /)] });
    const order = await submitted();
    const { status, body } = await client.post(`/v2/mf_purchases/${order.id}/cancel`, {});
    expect([status, body]).toMatchObject([400, { error: { status: 400, code: 'ILLEGAL_TRANSITION' } }]);
  });

  it('does not change what other tenants are answered: their clients get our names', async () => {
    const strict = await product.client();
    const refused = await strict.post('/v2/mf_purchases', {
      ...{ mf_investment_account: account, scheme: SCHEME, amount: 5000, gateway: 'ondc' },
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('"field":"gateway"')]);
    const ours = Number((await strict.get('/sandbox/seed')).body['bank_account_id']);
    const { status, text } = await strict.post('/api/pg/mandates', {
      ...{
        mandate_type: 'E_MANDATE',
        bank_account_id: ours,
        mandate_limit: 5000,
        provider_name: 'GATEWAYPOA',
      },
    });
    expect([status, text]).toEqual([422, expect.stringContaining('GATEWAYPOA takes no mandates of type')]);
  });
});

const mandateOf = (bank_account_id: number) => ({
  ...{ mandate_type: 'upi', bank_account_id, mandate_limit: 5000 },
});
