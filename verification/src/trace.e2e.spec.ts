import { waitFor, WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, requestPayment, type Order } from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

/** OPS-13: W3C trace context through HTTP, outbox, bus and webhooks. */
describeProducts('the trace of a request', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let client: ApiClient;

  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    ok(await client.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }));
  });
  afterAll(() => Promise.all([product.stop(), receiver.stop()]));

  const confirm = async ({ id }: Order, traceparent: string) =>
    ok(await client.call('PATCH', '/v2/mf_purchases', { id, state: 'confirmed' }, { traceparent }));
  const webhookAbout = async (id: string | number, type: string) =>
    receiver.next(({ body }) => body.type === type && body.data.object['id'] === id);

  it('is the trace of every event that it causes, from service to service, up to the webhook', async () => {
    const order = await payableOrder(client);
    const payment = Number(ok(await requestPayment(client, [order])).body['id']);
    // The gateway's callback about the submission starts a new trace: in this test the answer to our call has to come first.
    const lateCallback = { target: 'gatewaypoa', operation: 'callback_orders', kind: 'delay', times: 1 };
    ok(await client.post('/sandbox/faults', { ...lateCallback, delay_ms: 10_000 }));
    await confirm(order, TRACEPARENT);
    // orders confirms; its due work submits; payments consumes that and schedules the link; its due work issues it.
    const webhooks = await Promise.all([
      webhookAbout(order.id, 'mf_purchase.confirmed'),
      webhookAbout(order.id, 'mf_purchase.submitted'),
      webhookAbout(payment, 'payment.updated'),
    ]);
    expect(webhooks.map(({ headers }) => headers['traceparent'])).toEqual(webhooks.map(() => TRACEPARENT));
  });

  it('starts here when none came, or an invalid one', async () => {
    const order = await payableOrder(client);
    ok(await requestPayment(client, [order]));
    await confirm(order, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`);
    const created = await webhookAbout(order.id, 'mf_purchase.created');
    const confirmed = await webhookAbout(order.id, 'mf_purchase.confirmed');
    const ids = [created, confirmed].map(({ headers }) => String(headers['traceparent']).slice(3, 35));
    for (const id of ids) expect(id).toMatch(/^(?!0{32})[\da-f]{32}$/);
    expect(new Set([...ids, TRACE_ID]).size).toBe(3);
  });
});

describe('the log', () => {
  it('has the trace in each line (OPS-12)', async () => {
    const dataDir = await newDataDir();
    const standalone = await StandaloneProcess.start({ dataDir, env: { LOG_LEVEL: 'info' } });
    const client = await standalone.client();
    await client.call('GET', '/v2/mf_purchases/mfp_none', undefined, { traceparent: TRACEPARENT });
    const line = await waitFor(() =>
      standalone.child.output
        .split('\n')
        .find((text) => text.includes('"msg":"request"') && text.includes(TRACE_ID)),
    );
    expect(JSON.parse(line)).toMatchObject({ trace_id: TRACE_ID, status: 404 });
    await standalone.stop();
    await removeDataDir(dataDir);
  });
});
