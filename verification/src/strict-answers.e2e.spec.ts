import { WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { payableOrder, seedOf, type Order } from './testing/purchase.ts';
import { objectsOf } from './testing/objects-of-a-tenant.ts';
import type { Requests } from './testing/operation-requests.ts';
import { describeStandalone, type Product } from './testing/products.ts';
import { validRequests } from './testing/valid-bodies.ts';

/** Fields whose values are words of ours: a setting of another tenant must change none of them. */
const WORDS = [
  ...['object', 'type', 'gateway', 'provider_name', 'method', 'payment_type', 'mandate_type'],
  ...['frequency', 'payment_method', 'holding_pattern', 'code', 'field', 'folio_defaults'],
];
/**
 * Their shape depends on what has happened by then, or on the date. Events and policies have golden files, deliveries a test of their bytes
 * (COMP-4), and exports have the columns of each service's tables.
 */
const MOVING =
  /^(GET|POST) \/(v2\/events|v2\/webhook_deliveries|v2\/policies|sandbox\/clock|admin\/audit)|(deliveries|export)$/;

/** Their callers have no token of a tenant, and so no setting: the payer's browser, providers, a client without a token yet. Or they are of one payment. */
const WITHOUT_CLAIM =
  /^POST \/callbacks\/|^POST \/api\/pg\/payments\/netbanking\/sdkvendor|^POST \/v2\/auth\/|\/admin\/payments\//;

/** The bytes of an answer with each value that is not a word replaced by `_`, and the digits of a decimal by `0`. */
function shapeOf(text: string): string {
  const leaf = /"([^"\\]+)":("(?:[^"\\]|\\.)*"|-?[\d.]+|null)/g;
  const shaped = text.replaceAll(leaf, (whole, name: string, value: string) => {
    if (WORDS.includes(name)) return whole;
    return `"${name}":${/^-?\d+\.\d+$/.test(value) ? value.replaceAll(/\d+(?=\.)|\d/g, '0') : '_'}`;
  });
  return shaped.replaceAll(/\[[\d,]+\]/g, '[_]');
}

/**
 * What a tenant without `compatibility` is answered by every operation (COMP-1). An intended change of an answer is accepted by
 * `npm run jest -- strict-answers -u`; a change for clients of the upstream alone must not need it.
 */
describeStandalone('the answers to clients of our own interface', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let client: ApiClient;
  /** Made before the requests below change its investor. */
  let unpaid: Order;
  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    unpaid = await payableOrder(client);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });

  it('are these, field by field in this order (COMP-1)', async () => {
    const operator = await product.operator();
    const { body: document } = await client.get('/openapi.json');
    const lists = Object.entries(
      document['paths'] as Record<string, Record<string, { parameters?: Named[] }>>,
    )
      .filter(([path, { get }]) => get && !path.includes('{'))
      .map(([path, { get }]) => {
        const size = ['limit', 'size'].find((name) => get?.parameters?.some((one) => one.name === name));
        return [`GET ${path}`, { path: size === undefined ? path : `${path}?${size}=1` }] as const;
      });
    const requests: Requests = {
      ...Object.fromEntries(lists),
      ...(await objectsOf(client, receiver)),
      ...(await validRequests(client)),
    };
    Object.assign(requests, await clientsOf(operator), await erasureOf(client));
    const answers: Record<string, string> = {};
    for (const [operation, { path, body }] of Object.entries(requests)) {
      if (MOVING.test(operation)) continue;
      const [method = ''] = operation.split(' ');
      const caller = path.startsWith('/admin') ? operator : client;
      const { status, text, headers } = await caller.call(method, path, body);
      const isJson = headers.get('content-type')?.includes('json') === true;
      answers[operation] = `${status} ${isJson && path !== '/openapi.json' ? shapeOf(text) : '-'}`;
    }
    expect(answers).toMatchSnapshot();
    const operations = Object.entries(document['paths'] as Record<string, object>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const unasked = operations.filter((one) => !MOVING.test(one) && !WITHOUT_CLAIM.test(one));
    expect(unasked.filter((operation) => !(operation in answers))).toEqual([]);
  });

  it.each<[string, string, object | null, number, string]>([
    ['POST', '/v2/mf_purchases', { gateway: 'ondc' }, 400, 'gateway'],
    ['POST', '/v2/mf_redemptions', { folio_number: '91012345678', gateway: 'rta' }, 400, 'gateway'],
    ['POST', '/api/pg/payments/netbanking', { provider_name: 'RAZORPAY' }, 400, 'provider_name'],
    ['POST', '/api/pg/mandates', { provider_name: 'CYBRILLAPOA' }, 400, 'provider_name'],
    ['GET', '/v2/mf_purchases?type=purchase', null, 400, 'type'],
    ['POST', '/v2/investor_profiles', { type: 'individual' }, 400, 'type'],
    ['POST', '/v2/bank_accounts', { cancelled_cheque: 'file_1' }, 400, 'cancelled_cheque'],
    ['POST', '/v2/notification_webhooks', { events: ['kyc_request.*'] }, 400, 'events.0'],
    ['POST', '/v2/notification_webhooks', { events: ['mf_switch.created'] }, 400, 'events.0'],
    ['PATCH', '/v2/mf_investment_accounts', { folio_defaults: { nominee1: 'relp_1' } }, 400, 'nominee1'],
    ['POST', '/api/pg/simulate/payments/1', { status: 'APPROVED' }, 400, 'status'],
    ['POST', '/api/pg/simulate/payments/1', { status: 'TIMEDOUT' }, 400, 'status'],
    ['POST', '/api/pg/simulate/mandates/1', { status: 'CREATED' }, 400, 'status'],
    ['POST', '/api/oms/simulate/orders/1', { status: 'SUBMITTED' }, 400, 'status'],
  ])(
    'refuse what only clients of the upstream may send: %s %s %j (COMP-1)',
    async (method, path, body, status, field) => {
      const answer = await client.call(method, path, body ?? undefined);
      expect([answer.status, answer.text]).toEqual([
        status,
        expect.stringMatching(`"field":"[a-z_.]*${field}"`),
      ]);
      expect(answer.text).not.toMatch(/cybrillapoa|razorpay/i);
    },
  );

  it('refuse to confirm a purchase before it is paid, with 409 (COMP-7, COMP-9)', async () => {
    const { status, body } = await client.patch('/v2/mf_purchases', { id: unpaid.id, state: 'confirmed' });
    expect([status, body]).toMatchObject([409, { error: { status: 409, code: 'PAYMENT_MISSING' } }]);
  });
});

/** A further client of the tenant, which its operator looks at and deletes. */
async function clientsOf(operator: ApiClient): Promise<Requests> {
  const clients = '/admin/tenants/demo/clients';
  const path = `${clients}/${String((await operator.post(clients, { scope: '' })).body['client_id'])}`;
  return {
    'GET /admin/tenants/{name}': { path: '/admin/tenants/demo' },
    'GET /admin/tenants/{tenant}/clients': { path: clients },
    'GET /admin/tenants/{tenant}/clients/{clientId}': { path },
    'DELETE /admin/tenants/{tenant}/clients/{clientId}': { path },
  };
}

/** The operator's route, for the investor whose erasure the tenant has requested already. */
async function erasureOf(client: ApiClient): Promise<Requests> {
  const { investor_profile } = await seedOf(client);
  return { 'POST /admin/investors/{id}/erase': { path: `/admin/investors/${investor_profile}/erase` } };
}

interface Named {
  readonly name: string;
}
