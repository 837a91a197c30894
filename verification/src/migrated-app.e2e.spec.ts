import { waitFor } from '@fundrail/testing';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, untilOrder, untilPayment } from './testing/purchase.ts';

const TENANT = 'demo-upstream';
const PAGE = new URL('../../docs/migrate.md', import.meta.url);

/** The little of Express that the app uses. */
interface AppRequest {
  readonly body: unknown;
  readonly get: (header: string) => string | undefined;
}
interface AppResponse {
  readonly json: (body: object) => void;
  readonly sendStatus: (status: number) => void;
}
type Handler = (request: AppRequest, response: AppResponse) => unknown;

// docs/migrate.md: the app as it is printed there, moved by the steps of that page (COMP-1, COMP-10, COMP-12).
describeProducts('the app of docs/migrate.md', (start) => {
  let product: Product;
  let server: Server;
  let client: ApiClient;
  const handlers = new Map<string, Handler>();
  const queued: { readonly what: string; readonly id: unknown }[] = [];
  const consent = { email: 'asha@example.com', isd_code: '91', mobile: '9812345670' };

  beforeAll(async () => {
    product = await start();
    const operator = await product.operator();
    ok(await operator.patch(`/admin/tenants/${TENANT}/settings`, { compatibility: 'upstream/ondc' }));
    client = await ApiClient.signIn(product.url, { tenant: TENANT, id: 'demo', secret: 'demo-secret' });
    server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await waitFor(() => server.listening, { what: 'the app to listen' });
    const url = `${addressOf(server)}/hooks`;
    const endpoint = await post('/v2/notification_webhooks', { url, events: ['mf_purchase.*', 'payment.*'] });
    await run({ ACCOUNT: await onboarded(), WEBHOOK_SECRET: String(endpoint['secret']) });
  });
  afterAll(async () => {
    await product.stop();
    server.close();
  });

  const post = async (path: string, body: object) => ok(await client.post(path, body)).body;
  const queuedFor = (what: string) =>
    waitFor(() => queued.find((one) => one.what === what), { limitMs: 60_000, what: `${what} to be queued` });

  /** Step 2: an investor, by the calls of an onboarding. */
  async function onboarded(): Promise<string> {
    const made = async (path: string, body: object) => String((await post(path, body))['id']);
    const identity = {
      ...{ type: 'individual', name: 'Asha', pan: 'ABCPM1234K', date_of_birth: '1991-02-03' },
      ...{ tax_status: 'resident_individual', gender: 'female', occupation: 'professional' },
      ...{ country_of_birth: 'IN', place_of_birth: 'Pune', use_default_tax_residences: true },
      ...{ source_of_wealth: 'salary', income_slab: 'upto_1lakh', pep_details: 'not_applicable' },
    };
    const profile = await made('/v2/investor_profiles', identity);
    const phone = { profile, isd: consent.isd_code, number: consent.mobile, belongs_to: 'self' };
    const holder = { primary_account_holder_name: 'Asha', type: 'savings', ifsc_code: 'HDFC0000001' };
    const folio_defaults = {
      communication_mobile_number: await made('/v2/phone_numbers', phone),
      communication_email_address: await made('/v2/email_addresses', { profile, email: consent.email }),
      payout_bank_account: await made('/v2/bank_accounts', {
        profile,
        account_number: '123456789',
        ...holder,
      }),
    };
    return made('/v2/mf_investment_accounts', { primary_investor: profile, folio_defaults });
  }

  /** Step 1 and 3: the code of the page with another base URL and other variables. */
  async function run(env: object): Promise<void> {
    const page = await readFile(PAGE, 'utf8');
    const [, app = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
    const [, diff = ''] = /```diff\n([\s\S]+?)```/.exec(page) ?? [];
    const line = (mark: string) => new RegExp(`^\\${mark}(.+)$`, 'm').exec(diff)?.[1] ?? '';
    expect(app).toContain(line('-'));
    const called = async (method: string, path: string, body: object) =>
      ok(await client.call(method, path, body)).body;
    runInNewContext(app.replace(line('-'), line('+')), {
      ...{ createHmac, JSON, call: called, process: { env } },
      express: { json: () => null },
      queue: { add: (what: string, id: unknown) => queued.push({ what, id }) },
      app: {
        // The last one answers.
        post: (path: string, ...steps: Handler[]) => {
          for (const step of steps) handlers.set(path, step);
        },
      },
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await text(request));
    const send = (status: number, sent = '') => void response.writeHead(status).end(sent);
    await handlers.get(request.url ?? '')?.(
      { body, get: (header) => String(request.headers[header.toLowerCase()]) },
      { json: (sent) => send(200, JSON.stringify(sent)), sendStatus: (status) => send(status) },
    );
  }

  const toApp = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${addressOf(server)}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

  it('buys, and receives the events with the signature that it knows', async () => {
    const answer = await toApp('/buy', { isin: 'INF209K01VD7', amount: 5000 });
    const { id } = (await answer.json()) as { id: string };
    expect((await queuedFor('consent')).id).toBe(id);
    const { body: order } = ok(await client.get(`/v2/mf_purchases/${id}`));
    expect(order).toMatchObject({ gateway: 'ondc', type: 'purchase', state: 'pending' });
    ok(await client.patch('/v2/mf_purchases', { id, consent }));
    const amc_order_ids = [order['old_id']];
    const asked = {
      amc_order_ids,
      method: 'UPI',
      upi: { type: 'URI' },
      payment_postback_url: addressOf(server),
    };
    const payment = Number((await post('/api/pg/payments/netbanking', asked))['id']);
    ok(await client.patch('/v2/mf_purchases', { id, state: 'confirmed' }));
    expect((await queuedFor('show-uri')).id).toBe(payment);
    const { body: shown } = ok(await client.get(`/api/pg/payments/${payment}`));
    expect(shown['provider_name']).toBe('ONDC');
    await post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' });
    await untilPayment(client, payment, 'APPROVED');
    await untilOrder(client, { id, oldId: Number(order['old_id']) }, 'successful');
    const { body: folios } = ok(await client.get('/v2/mf_folios'));
    expect(folios['data']).toEqual([expect.objectContaining({ object: 'mf_folio', amc: null })]);
  });

  it('refuses a forged signature', async () => {
    const forged = await toApp('/hooks', { type: 'payment.updated' }, { 'FP-Signature': 'x:forged' });
    expect(forged.status).toBe(401);
  });
});

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
