import { SpanCollector, waitFor, WebhookReceiver, type CollectedSpan } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, requestPayment } from './testing/purchase.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const BUYER = '00f067aa0ba902b7';

/** The attributes that a span may have: names, our own words and ids. Think about personal data before you add one. */
const KNOWN_ATTRIBUTES = [
  'error.type',
  'fundrail.due.attempts',
  'fundrail.due.key',
  'fundrail.due.kind',
  'fundrail.due.result',
  'fundrail.event.id',
  'fundrail.event.type',
  'fundrail.tenant',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.consumer.group.name',
  'messaging.destination.name',
  'messaging.kafka.message.key',
  'messaging.message.id',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'peer.service',
  'url.template',
];
/** An id or a word: no space, no @ of a VPA or an e-mail, no PAN. */
const HARMLESS = /^(?!.*[A-Z]{5}\d{4}[A-Z])[\w.:/{}*-]+$/;

/** Decision 0022: one trace from the buyer's request through outbox, bus, consumer and provider to the webhook. */
describeProducts('the spans of a request', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let collector: SpanCollector;
  let client: ApiClient;

  beforeAll(async () => {
    [receiver, collector] = await Promise.all([WebhookReceiver.start(), SpanCollector.start()]);
    product = await start({}, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    client = await product.client();
    ok(await client.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }));
  });
  afterAll(async () => {
    await product.stop();
    await Promise.all([receiver.stop(), collector.stop()]);
  });

  it('lead from the webhook back to the buyer, through every service and provider in between', async () => {
    const order = await payableOrder(client);
    const payment = Number(ok(await requestPayment(client, [order])).body['id']);
    // The gateway's callback about the submission starts a new trace: in this test the answer to our call has to come first.
    const lateCallback = { target: 'gatewaypoa', operation: 'callback_orders', kind: 'delay', times: 1 };
    ok(await client.post('/sandbox/faults', { ...lateCallback, delay_ms: 10_000 }));
    const traceparent = `00-${TRACE_ID}-${BUYER}-01`;
    ok(await client.call('PATCH', '/v2/mf_purchases', { id: order.id, state: 'confirmed' }, { traceparent }));
    const { headers } = await receiver.next(
      ({ body }) => body.type === 'payment.updated' && body.data.object['id'] === payment,
    );
    const [, traceId, sent = ''] = String(headers['traceparent']).split('-');
    expect(traceId).toBe(TRACE_ID);

    const line = await waitFor(
      () => {
        const found = collector.lineOf(sent);
        return found.at(-1)?.parentSpanId === BUYER ? found.toReversed() : null;
      },
      { what: 'every span from the webhook to the request' },
    );
    expect(line.map(({ service, name }) => `${service}: ${name}`)).toEqual([
      'orders: PATCH /v2/mf_purchases',
      'orders: due order.submit',
      'orders: send mf_purchase',
      'payments: process mf_purchase',
      'payments: due payment.issue_uri',
      'payments: send payment',
      'webhooks: POST webhook',
    ]);
    const beside = (parent: CollectedSpan | undefined, name: string) =>
      waitFor(() => collector.spans.find((one) => one.parentSpanId === parent?.spanId && one.name === name), {
        what: name,
      });
    expect(await beside(line[1], 'POST /gatewaypoa/orders/submit')).toMatchObject({
      service: 'orders',
      kind: 3,
    });
    expect(await beside(line[4], 'POST /gatewaypoa/payments')).toMatchObject({
      service: 'payments',
      kind: 3,
    });
    expect(await beside(line[5], 'process payment')).toMatchObject({ kind: 5 });
    expect(line.map(({ kind }) => kind)).toEqual([2, 1, 4, 5, 1, 4, 3]);
  });

  it('continue at the service that a request calls', async () => {
    const claim = await waitFor(() => collector.spans.find(({ name }) => name === 'POST orders'), {
      what: 'the claim',
    });
    const [asked, answered] = await waitFor(
      () => {
        const there = collector.spans.find(({ parentSpanId }) => parentSpanId === claim.spanId);
        const here = collector.lineOf(claim.spanId)[1];
        return here && there ? ([here, there] as const) : null;
      },
      { what: 'both sides of the claim' },
    );
    expect([asked.service, asked.kind, answered.service, answered.kind]).toEqual([
      'payments',
      2,
      'orders',
      2,
    ]);
  });

  it('contain only ids and our own words, and no personal data', () => {
    const pairs = collector.spans.flatMap(({ attributes }) => Object.entries(attributes));
    expect([...new Set(pairs.map(([key]) => key))].filter((key) => !KNOWN_ATTRIBUTES.includes(key))).toEqual(
      [],
    );
    expect(pairs.filter(([, value]) => !HARMLESS.test(value))).toEqual([]);
    expect(new Set(collector.spans.map(({ name }) => name)).size).toBeLessThan(100);
  });
});
