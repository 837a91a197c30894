import { WebhookReceiver } from '@fundrail/testing';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApiClient, type ApiAnswer } from './testing/api-client.ts';
import { objectsOf } from './testing/objects-of-a-tenant.ts';
import { requestsOf, type Requests } from './testing/operation-requests.ts';
import { ownObjectsOf } from './testing/own-objects.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, seedOf } from './testing/purchase.ts';
import { operationsOf, type ApiDescription } from './testing/reference-spots.ts';
import { triesOf, type ReferenceTry } from './testing/reference-tries.ts';

/** Operations that name no object of a tenant: what they create or list belongs to the caller. */
const WITHOUT_AN_OBJECT = [
  'GET /.well-known/jwks.json',
  'POST /v2/auth/{tenant}/token',
  'POST /callbacks/gatewaypoa/orders',
  'POST /callbacks/gatewaypoa/payments',
  'POST /callbacks/gatewaypoa/mandates',
  'POST /callbacks/gatewaypoa/plans',
  'POST /callbacks/sdkvendor',
  // Opened by a token and by a signature of one payment, not by a tenant's token.
  'GET /api/pg/payments/netbanking/sdkvendor',
  'POST /api/pg/payments/netbanking/sdkvendor',
  'POST /api/pg/payments/netbanking/sdkvendor/capture/{payment_id}',
  'GET /sandbox/seed',
  'GET /sandbox/clock',
  'POST /sandbox/clock',
  'POST /sandbox/faults',
  'POST /v2/investor_profiles',
  'POST /v2/notification_webhooks',
  // The caller's own.
  'GET /v2/tenant',
  // The same for every tenant.
  'GET /v2/policies',
  'GET /v2/policies/{name}',
];

const REFUND = 'POST /api/pg/payments/{id}/refunds';

const LISTS = [
  'GET /v2/investor_profiles',
  'GET /v2/bank_accounts',
  'GET /v2/phone_numbers',
  'GET /v2/email_addresses',
  'GET /v2/addresses',
  'GET /v2/related_parties',
  'GET /v2/mf_investment_accounts',
  'GET /v2/mf_purchases',
  'GET /v2/mf_folios',
  'GET /v2/mf_redemptions',
  'GET /v2/mf_redemption_plans',
  'GET /v2/mf_purchase_plans',
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
  let document: ApiDescription;
  /** For each operation that names an object, one of the owner: path parameters filled in, and the body. */
  let theirs: Requests;

  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    [owner, stranger] = [await product.client(), await newTenant(product, 'stranger')];
    document = await describedApi();
    theirs = await objectsOf(owner, receiver);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });

  const ask = (client: ApiClient, operation: string): Promise<ApiAnswer> => {
    const { path, body } = theirs[operation] ?? { path: '' };
    return client.call(operation.split(' ')[0] ?? '', path, body);
  };

  it('is tried on every operation of the OpenAPI document', () => {
    const all = operationsOf(document).map(({ name }) => name);
    const operators = all.filter((operation) => operation.includes(' /admin/') || operation === REFUND);
    const tried = [...WITHOUT_AN_OBJECT, ...LISTS, ...operators, ...Object.keys(theirs)];
    expect(all.filter((operation) => !tried.includes(operation))).toEqual([]);
  });

  it('gets a 404 for a foreign object in a path, and an error on its field for one in a body (CONV-37)', async () => {
    for (const operation of Object.keys(theirs)) {
      const { status, body } = await ask(stranger, operation);
      const { errors } = body['error'] as { errors: unknown[] };
      // A PATCH on the collection names its object by the body's `id`: the id is not in the path there.
      const wanted = operation.includes('{') ? [404, 0] : [400, 1];
      expect([operation, status, errors.length]).toEqual([operation, ...wanted]);
    }
  });

  it('gets the same answer for a foreign object and for a missing one, wherever a request may name it (CONV-37)', async () => {
    const neighbour = await newTenant(product, 'neighbour');
    const own = await ownObjectsOf(neighbour);
    const { mf_investment_account, bank_account_id } = await seedOf(owner);
    const word = { mf_investment_account, scheme: 'INF209K01VD7', amount: 5000, source_ref_id: 'theirs' };
    ok(await owner.post('/v2/mf_purchases', word));
    const lists = requestsOf(null, Object.fromEntries(LISTS.map((name) => [name, null])));
    const further = new Map<string, string | number>([
      ['bank_account_id', bank_account_id],
      ['source_ref_id', 'theirs'],
      ['payment_source', (theirs['GET /api/pg/mandates/{id}']?.path ?? '').split('/').at(-1) ?? ''],
      ['folio_number', '91012345678'],
    ]);
    const { tries, uncovered } = triesOf(document, { ...theirs, ...lists }, own, further);
    expect(uncovered).toEqual([]);
    const wrong: unknown[] = [];
    for (const one of tries) {
      const [foreign, missing] = await answersTo(neighbour, one);
      const allowed = one.spot.part === 'query' ? [200, 400, 404] : [400, 404];
      if (isDeepStrictEqual(foreign, missing) && allowed.includes(foreign.status)) continue;
      wrong.push({ spot: one.spot, foreign, missing });
    }
    expect(wrong).toEqual([]);
  });

  it('and without a token, or without the scope that the document asks for, no operation lets it in', async () => {
    for (const { name, operation } of operationsOf(document)) {
      const [method = '', path = ''] = name.split(' ');
      if (operation.security?.length === 0) continue;
      const url = path.replaceAll(/\{\w+\}/g, '1');
      const bare = await fetch(`${product.url}${url}`, { method });
      expect([name, bare.status]).toEqual([name, 401]);
      // One for each way to present a token: a bearer token has no scopes in the document, those of OAuth 2.0 are named.
      const scopes = (operation.security ?? []).map((one) => Object.values(one).flat());
      const isOperators = path.startsWith('/admin/') || name === REFUND;
      expect([name, scopes]).toEqual([name, isOperators ? [[], ['admin']] : []]);
      if (isOperators) expect([name, (await stranger.call(method, url)).status]).toEqual([name, 403]);
    }
  });

  it.each(LISTS)('sees no foreign object in %s (CONV-37)', async (operation) => {
    const { status, body } = await stranger.get(operation.slice('GET '.length));
    expect([status, body['data'] ?? body['payments'] ?? body['mandates']]).toEqual([200, []]);
  });

  it('may not even name the other tenant in x-tenant-id (CONV-11)', async () => {
    const { status } = await stranger.call('GET', '/v2/mf_purchases', undefined, { 'x-tenant-id': 'demo' });
    expect(status).toBe(403);
  });

  it("may not call the operator's routes", async () => {
    expect((await stranger.post('/api/pg/payments/1001/refunds', {})).status).toBe(403);
    for (const path of [
      '/admin/tenants',
      '/admin/tenants/demo',
      '/admin/tenants/demo/clients',
      '/admin/audit',
    ])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 403]);
  });

  it('has changed nothing by all these requests', async () => {
    for (const path of [
      'GET /v2/mf_purchases/{id}',
      'GET /v2/mf_redemptions/{id}',
      'GET /api/pg/payments/{id}',
      'GET /api/pg/mandates/{id}',
      'GET /v2/notification_webhooks/{id}',
    ])
      expect([path, (await ask(owner, path)).status]).toEqual([path, 200]);
  });
});

/** The two answers, with the two ids replaced by the same text. */
async function answersTo(client: ApiClient, { spot, foreign, missing, values }: ReferenceTry) {
  const method = spot.operation.split(' ')[0] ?? '';
  const answers = [];
  for (const [at, { path, body }] of [foreign, missing].entries()) {
    const { status, text } = await client.call(method, path, body);
    // An id of one or two digits may occur in an answer for other reasons.
    const id = values[at] ?? '';
    const masked = (id.length < 4 ? text : text.replaceAll(id, '<id>')).replace(/"request_id":"[^"]*"/, '');
    answers.push({ status, text: masked });
  }
  return answers as [{ status: number; text: string }, { status: number; text: string }];
}

async function describedApi(): Promise<ApiDescription> {
  const text = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  return JSON.parse(text) as ApiDescription;
}

async function newTenant(product: Product, name: string): Promise<ApiClient> {
  const operator = await product.operator();
  ok(await operator.post('/admin/tenants', { name }));
  const { body } = ok(await operator.post(`/admin/tenants/${name}/clients`, {}));
  const id = String(body['client_id']);
  return ApiClient.signIn(product.url, { tenant: name, id, secret: String(body['client_secret']) });
}
