import { WebhookReceiver, waitFor } from '@fundrail/testing';
import { readFile } from 'node:fs/promises';
import { ApiClient, type ApiAnswer } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, payablePayment, seedOf, untilOrder, untilPayment } from './testing/purchase.ts';

/** Operations that name no object of a tenant: what they create or list is the caller's own. */
const WITHOUT_AN_OBJECT = [
  'GET /.well-known/jwks.json',
  'POST /v2/auth/{tenant}/token',
  'POST /callbacks/gatewaypoa/orders',
  'POST /callbacks/gatewaypoa/payments',
  'POST /callbacks/gatewaypoa/mandates',
  'POST /callbacks/sdkvendor',
  // Opened by a token and by a signature, which belong to one payment and to nobody's tenant token.
  'GET /api/pg/payments/netbanking/sdkvendor',
  'POST /api/pg/payments/netbanking/sdkvendor/capture/{payment_id}',
  'GET /sandbox/seed',
  'GET /sandbox/clock',
  'POST /sandbox/clock',
  'POST /sandbox/faults',
  'POST /v2/investor_profiles',
  'POST /v2/notification_webhooks',
];

const REFUND = 'POST /api/pg/payments/{id}/refunds';

const LISTS = [
  'GET /v2/investor_profiles',
  'GET /v2/bank_accounts',
  'GET /v2/mf_investment_accounts',
  'GET /v2/mf_purchases',
  'GET /v2/notification_webhooks',
  'GET /v2/events',
  'GET /api/pg/payments',
  'GET /api/pg/mandates',
];

describeProducts('another tenant', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let owner: ApiClient;
  let stranger: ApiClient;
  /** An object of the owner for each operation that names one: path parameters filled in, and the body. */
  let theirs: Record<string, readonly [path: string, body?: object]>;

  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    [owner, stranger] = [await product.client(), await newTenant(product)];
    theirs = await objectsOf(owner, receiver);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });

  const ask = (client: ApiClient, operation: string): Promise<ApiAnswer> => {
    const [path, body] = theirs[operation] ?? [''];
    return client.call(operation.split(' ')[0] ?? '', path, body);
  };

  it('is tried on every operation of the OpenAPI document', async () => {
    const document = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    const { paths } = JSON.parse(document) as { paths: Record<string, object> };
    const all = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const operators = all.filter((operation) => operation.includes(' /admin/') || operation === REFUND);
    const tried = [...WITHOUT_AN_OBJECT, ...LISTS, ...operators, ...Object.keys(theirs)];
    expect(all.filter((operation) => !tried.includes(operation))).toEqual([]);
  });

  it('does not find an object in a path, and is told of a foreign one in a body by its field', async () => {
    for (const operation of Object.keys(theirs)) {
      const { status, body } = await ask(stranger, operation);
      const { errors } = body['error'] as { errors: unknown[] };
      // A PATCH on the collection names its object by the body's `id`: that is the path's part there.
      const wanted = operation.includes('{') ? [404, 0] : [400, 1];
      expect([operation, status, errors.length]).toEqual([operation, ...wanted]);
    }
  });

  it.each(LISTS)('sees nothing of it in %s', async (operation) => {
    const { status, body } = await stranger.get(operation.slice('GET '.length));
    expect([status, body['data'] ?? body['payments'] ?? body['mandates']]).toEqual([200, []]);
  });

  it('may not even name the other tenant in x-tenant-id', async () => {
    const { status } = await stranger.call('GET', '/v2/mf_purchases', undefined, { 'x-tenant-id': 'demo' });
    expect(status).toBe(403);
  });

  it("has no business in what is the operator's", async () => {
    expect((await stranger.post('/api/pg/payments/1001/refunds', {})).status).toBe(403);
    for (const path of [
      '/admin/tenants',
      '/admin/tenants/demo',
      '/admin/tenants/demo/clients',
      '/admin/audit',
    ])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 403]);
  });

  it('has changed nothing by all that', async () => {
    for (const path of [
      'GET /v2/mf_purchases/{id}',
      'GET /api/pg/payments/{id}',
      'GET /api/pg/mandates/{id}',
      'GET /v2/notification_webhooks/{id}',
    ])
      expect([path, (await ask(owner, path)).status]).toEqual([path, 200]);
  });
});

async function newTenant(product: Product): Promise<ApiClient> {
  const operator = await product.operator();
  ok(await operator.post('/admin/tenants', { name: 'stranger' }));
  const { body } = ok(await operator.post('/admin/tenants/stranger/clients', {}));
  const id = String(body['client_id']);
  return ApiClient.signIn(product.url, { tenant: 'stranger', id, secret: String(body['client_secret']) });
}

async function objectsOf(
  owner: ApiClient,
  receiver: WebhookReceiver,
): Promise<Record<string, readonly [string, object?]>> {
  const { body: seed } = await owner.get('/sandbox/seed');
  const { mf_investment_account: account, bank_account_id, consent } = await seedOf(owner);
  const ofMandate = {
    mandate_type: 'UPI',
    bank_account_id,
    provider_name: 'GATEWAYPOA',
    mandate_limit: 5000,
  };
  const mandate = Number(ok(await owner.post('/api/pg/mandates', ofMandate)).body['id']);
  const hook = ok(await owner.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] })).body[
    'id'
  ];
  const [order, waiting] = [await payableOrder(owner), await payableOrder(owner)];
  const payment = await payablePayment(owner, [order]);
  await untilOrder(owner, order, 'submitted');
  await untilPayment(owner, payment, 'PENDING');
  const event = await waitFor(
    async () => (await owner.get('/v2/events?limit=1')).body['data'] as { id: string }[],
  );
  const deliveries = `/v2/notification_webhooks/${String(hook)}/deliveries`;
  const delivery = await waitFor(
    async () => ((await owner.get(deliveries)).body['data'] as { id: string }[])[0],
  );
  const [profile, bank] = [String(seed['investor_profile']), String(seed['bank_account'])];
  const purchase = `/v2/mf_purchases/${waiting.id}`;
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
    'GET /v2/mf_purchases/{id}': [purchase],
    'PATCH /v2/mf_purchases/{id}': [purchase, { state: 'confirmed' }],
    'POST /v2/mf_purchases/{id}/cancel': [`${purchase}/cancel`],
    'PATCH /v2/mf_purchases': ['/v2/mf_purchases', { id: waiting.id, consent }],
    'PATCH /v2/mf_purchases/batch': [
      '/v2/mf_purchases/batch',
      { mf_purchases: [{ id: waiting.id, consent }] },
    ],
    'POST /v2/mf_purchases': [
      '/v2/mf_purchases',
      { mf_investment_account: account, scheme: 'INF209K01VD7', amount: 100 },
    ],
    'POST /v2/mf_purchases/batch': [
      '/v2/mf_purchases/batch',
      { mf_purchases: [{ mf_investment_account: account, scheme: 'INF209K01VD7', amount: 100 }] },
    ],
    'POST /api/pg/payments/netbanking': [
      '/api/pg/payments/netbanking',
      {
        amc_order_ids: [waiting.oldId],
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
      { mandate_id: mandate, amc_order_ids: [waiting.oldId] },
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
    'GET /v2/events/{id}': [`/v2/events/${event[0]?.id ?? ''}`],
    'GET /v2/notification_webhooks/{id}': [`/v2/notification_webhooks/${String(hook)}`],
    'PUT /v2/notification_webhooks/{id}': [
      `/v2/notification_webhooks/${String(hook)}`,
      { status: 'disabled' },
    ],
    'DELETE /v2/notification_webhooks/{id}': [`/v2/notification_webhooks/${String(hook)}`],
    'POST /v2/notification_webhooks/{id}/test': [`/v2/notification_webhooks/${String(hook)}/test`],
    'GET /v2/notification_webhooks/{id}/deliveries': [deliveries],
    'POST /v2/webhook_deliveries/{id}/retry': [`/v2/webhook_deliveries/${delivery.id}/retry`],
  };
}
