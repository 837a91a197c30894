import { type EventEnvelope, SERVICES } from '@fundrail/contracts';
import { SpanCollector, waitFor, WebhookReceiver } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import { describeOpenProducts, type OpenProduct } from './testing/open-products.ts';
import { markedInvestor, onBehalfOf } from './testing/privacy/marked-investor.ts';
import { markedPaths, marksIn } from './testing/privacy/marks.ts';
import { ok } from './testing/purchase.ts';
import { MarkedWalks } from './testing/privacy/marked-walks.ts';
import { ProviderRecord } from './testing/privacy/provider-record.ts';
import { refusedRequests, WEBHOOK_SECRETS, type RefusedRequest } from './testing/privacy/refused-requests.ts';

/** The outside systems, which have to know who pays. Only the sandbox simulates them. */
const PLAYED = 'simulator';

/** Every column that holds personal data, and which data. Account numbers and the answers stored for idempotency keys are encrypted. */
const STORED = [
  'identity.bank_accounts.primary_account_holder_name name',
  'identity.investor_profiles.date_of_birth date_of_birth',
  'identity.investor_profiles.email email',
  'identity.investor_profiles.mobile_number mobile',
  'identity.investor_profiles.name name',
  'identity.investor_profiles.pan pan',
  'identity.mf_investment_accounts.communication_email_address email',
  'identity.mf_investment_accounts.communication_mobile_number mobile',
  'orders.mf_orders.consent.email email',
  'orders.mf_orders.consent.mobile mobile',
  'orders.mf_orders.user_ip user_ip',
  'orders.outbox.data email',
  'orders.outbox.data mobile',
  'orders.outbox.data user_ip',
  'payments.outbox.data vpa',
  'payments.payments.upi.vpa vpa',
  'plans.outbox.data email',
  'plans.outbox.data mobile',
  'plans.outbox.data user_ip',
  'plans.redemption_plans.consent.email email',
  'plans.redemption_plans.consent.mobile mobile',
  'plans.redemption_plans.user_ip user_ip',
  'webhooks.events.body email',
  'webhooks.events.body mobile',
  'webhooks.events.body user_ip',
  'webhooks.events.body vpa',
];

const WALK_LIMIT_MS = 180_000;
/** The value of a Kafka message is the column `data`; its key and headers come from the other columns. */
const EVENTS = 'SELECT * FROM outbox';
interface Refusal {
  readonly what: string;
  readonly traceId: string;
  readonly status: number;
  readonly text: string;
}

/** The personal data that outside systems receive, by operation: who pays, and from where. */
const SENT_TO_PROVIDERS = [
  'POST /gatewaypoa/mandates/authorisations payer.account_number account_number',
  'POST /gatewaypoa/mandates/authorisations payer.name name',
  'POST /gatewaypoa/mandates/authorisations/collect payer.account_number account_number',
  'POST /gatewaypoa/mandates/authorisations/collect payer.name name',
  'POST /gatewaypoa/mandates/authorisations/collect vpa vpa',
  'POST /gatewaypoa/payments payer.account_number account_number',
  'POST /gatewaypoa/payments payer.name name',
  'POST /gatewaypoa/payments/collect payer.account_number account_number',
  'POST /gatewaypoa/payments/collect payer.name name',
  'POST /gatewaypoa/payments/collect vpa vpa',
  'POST /sdkvendor/v1/customers contact mobile',
  'POST /sdkvendor/v1/customers email email',
  'POST /sdkvendor/v1/customers name name',
  'POST /sdkvendor/v1/orders bank_account.account_number account_number',
  'POST /sdkvendor/v1/orders bank_account.name name',
  'POST /sdkvendor/v1/orders token.bank_account.account_number account_number',
  'POST /sdkvendor/v1/orders token.bank_account.beneficiary_name name',
  'POST /sdkvendor/v1/payments/create/json bank_account.account_number account_number',
  'POST /sdkvendor/v1/payments/create/json bank_account.name name',
  'POST /sdkvendor/v1/payments/create/json contact mobile',
  'POST /sdkvendor/v1/payments/create/json email email',
  'POST /sdkvendor/v1/payments/create/json ip user_ip',
  'POST /sdkvendor/v1/payments/create/upi contact mobile',
  'POST /sdkvendor/v1/payments/create/upi email email',
  'POST /sdkvendor/v1/payments/create/upi ip user_ip',
  'POST /sdkvendor/v1/payments/create/upi upi.vpa vpa',
];

/**
 * CONV-38. All flows run with marked values. Then everything that left the process is searched: logs, spans, metrics, the headers of
 * events, webhooks, requests to outside systems, the databases, and the answers to refused requests.
 */
describeOpenProducts('personal data', (start) => {
  let product: OpenProduct;
  let receiver: WebhookReceiver;
  let collector: SpanCollector;
  let providers: ProviderRecord;
  let refused: readonly Refusal[];

  beforeAll(async () => {
    [receiver, collector, providers] = await Promise.all([
      WebhookReceiver.start(),
      SpanCollector.start(),
      ProviderRecord.start(),
    ]);
    const outside = { GATEWAYPOA_BASE_URL: providers.url, SDKVENDOR_BASE_URL: providers.url + '/sdkvendor' };
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'trace' };
    product = await start({ ...outside, ...WEBHOOK_SECRETS, ...tracing });
    providers.target = product.url;
    providers.failOnce('/gatewaypoa/payments/collect');
    const owner = await product.client();
    const operator = await product.operator();
    ok(await operator.patch('/admin/tenants/demo/settings', { sdk_options_enabled: true }));
    ok(await owner.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }));
    const investor = await markedInvestor(owner);
    const { key_secret } = (await owner.get('/sandbox/seed')).body['sdkvendor'] as {
      readonly key_secret: string;
    };
    await new MarkedWalks(onBehalfOf(owner, investor), investor, key_secret).all();
    refused = await Promise.all(refusedRequests(owner).map((request) => answerTo(request)));
    await receiver.next(({ body }) => body.type === 'mf_redemption.successful');
  }, WALK_LIMIT_MS);
  afterAll(async () => {
    await product.stop();
    await Promise.all([receiver.stop(), collector.stop(), providers.stop()]);
  });

  async function answerTo({ what, method, path, body, headers }: RefusedRequest) {
    const traceId = randomUUID().replaceAll('-', '');
    const traceparent = `00-${traceId}-${traceId.slice(16)}-01`;
    const answer = await fetch(`${product.url}${path}`, {
      method,
      headers: { ...headers, traceparent },
      body,
    });
    const text = `${await answer.text()} ${JSON.stringify([...answer.headers])}`;
    return { what, traceId, status: answer.status, text };
  }

  /** The log lines that contain a mark: a few, shortened to what identifies them. */
  const markedLines = () =>
    product
      .output()
      .split('\n')
      .filter((line) => marksIn(line).length > 0)
      .slice(0, 5)
      .map((line) => line.slice(0, 500));

  it('is in no log line, at any level', () => {
    expect(product.output().split('\n').length).toBeGreaterThan(50);
    expect(markedLines()).toEqual([]);
  });

  it('is in no metric', async () => {
    const texts = await Promise.all(
      product.opsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    expect(texts.filter((text) => !text.includes('fundrail_'))).toEqual([]);
    expect(texts.flatMap(marksIn)).toEqual([]);
  });

  it('is in the events that need it: consent and address in those of orders and plans, the UPI ID in those of payments', () => {
    const found = receiver.received.flatMap(({ body }) =>
      markedPaths(body).map((path) => `${body.type.split('.')[0]} ${path}`),
    );
    expect([...new Set(found)].sort()).toEqual([
      ...['mf_purchase', 'mf_redemption', 'mf_redemption_plan'].flatMap((family) => [
        `${family} data.object.consent.email email`,
        `${family} data.object.consent.mobile mobile`,
        `${family} data.object.user_ip user_ip`,
      ]),
      'payment data.object.upi.vpa vpa',
    ]);
  });

  it('is stored only in the columns meant for it', async () => {
    const found = await Promise.all(SERVICES.filter((name) => name !== PLAYED).map(columnsWithMarks));
    expect(found.flat().sort()).toEqual(STORED);
  });

  async function columnsWithMarks(service: (typeof SERVICES)[number]): Promise<string[]> {
    const tables = await product.databases.rows<{ name: string }>(
      service,
      `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await product.databases.rows<{ row: object }>(
          service,
          `SELECT to_jsonb(t) AS row FROM ${name} t`,
        );
        return rows.flatMap(({ row }) => markedPaths(row).map((path) => `${service}.${name}.${path}`));
      }),
    );
    return [...new Set(found.flat())];
  }

  it('is sent to outside systems only where they have to know it: in bodies, never in an address or a header', () => {
    expect(providers.sent.length).toBeGreaterThan(50);
    const besides = providers.sent.flatMap(({ path, headers }) => marksIn([path, ...headers].join('\n')));
    expect(besides).toEqual([]);
    const found = providers.sent.flatMap(({ method, path, body }) =>
      markedPaths(contentOf(body)).map((place) => `${method} ${operationOf(path)} ${place}`),
    );
    expect([...new Set(found)].sort()).toEqual(SENT_TO_PROVIDERS);
  });

  it('is in no span', async () => {
    // Spans are sent in batches, so those of the last requests come last. A path without a route has no span.
    const hasSpan = ({ traceId, what }: Refusal) =>
      what === 'an unknown path' || collector.spans.some((span) => span.traceId === traceId);
    await waitFor(() => refused.every(hasSpan), { what: 'a span of each request that was refused' });
    expect(collector.bodies.flatMap(marksIn)).toEqual([]);
  });

  it('is not in the key or a header of any event', async () => {
    const events = await product.databases.everywhere<EventEnvelope>(EVENTS);
    const besides = events.map(({ data: _data, ...event }) => event);
    expect(events.length).toBeGreaterThan(50);
    expect(besides.flatMap((event) => markedPaths(event))).toEqual([]);
  });

  it('is not repeated in refusals', () => {
    expect(refused.filter(({ status }) => ![400, 404].includes(status))).toEqual([]);
    expect(refused.filter(({ text }) => marksIn(text).length > 0)).toEqual([]);
  });
});

/** A body as JSON, as a form, or as it is. */
function contentOf(body: string): unknown {
  if (body.startsWith('{') || body.startsWith('[')) return JSON.parse(body);
  return body.includes('=') ? Object.fromEntries(new URLSearchParams(body)) : body;
}

/** A path with `*` for each of its ids. */
function operationOf(path: string): string {
  return path
    .replace(/\?.*/s, '')
    .replaceAll(/\/(?=[^/]*\d)[^/]+/g, (part) => (/^\/v\d$/.test(part) ? part : '/*'));
}
