import { WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
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
  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
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
  });
});

interface Named {
  readonly name: string;
}
