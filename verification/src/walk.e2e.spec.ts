import { WebhookReceiver } from '@fundrail/testing';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import {
  ok,
  payableOrder,
  payablePayment,
  requestPayment,
  untilOrder,
  untilPayment,
} from './testing/purchase.ts';

describeProducts('a purchase paid by UPI, on the wire', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let client: ApiClient;

  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    const webhook = { url: receiver.url, events: ['mf_purchase.*', 'payment.*'] };
    receiver.secret = String(ok(await client.post('/v2/notification_webhooks', webhook)).body['secret']);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });

  it('answers the creation of a payment exactly as specified (PAY-16)', async () => {
    const { text } = ok(await requestPayment(client, [await payableOrder(client)]));
    expect(text).toMatch(/^\{"id":\d+,"token_url":null,"upi":\{"type":"uri","vpa":null,"uri":null\}\}$/);
  });

  it('prints amounts with four decimals, and times in India', async () => {
    const order = await payableOrder(client, 1001.5);
    const { text, body } = await client.get(`/v2/mf_purchases/${order.oldId}`);
    expect(text).toContain('"amount":1001.5000,');
    expect(body['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+05:30$/);
  });

  it('sends a signed webhook for each step, in order, with what GET answers (XFER-5)', async () => {
    const order = await payableOrder(client);
    const payment = await payablePayment(client, [order]);
    ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    await Promise.all([untilOrder(client, order, 'successful'), untilPayment(client, payment, 'APPROVED')]);
    await receiver.next(
      ({ body }) => body.type === 'mf_purchase.successful' && body.data.object['id'] === order.id,
    );
    await receiver.next(
      ({ body }) => body.type === 'payment.updated' && body.data.object['status'] === 'APPROVED',
    );

    const about = (id: unknown) => receiver.received.filter(({ body }) => body.data.object['id'] === id);
    expect(about(order.id).map(({ body }) => body.type)).toEqual(
      ['created', 'review_completed', 'confirmed', 'submitted', 'successful'].map(
        (step) => `mf_purchase.${step}`,
      ),
    );
    expect(about(payment).map(({ body }) => body.type)).toEqual([
      'payment.pending',
      'payment.updated',
      ...['success', 'initiated', 'approved'].flatMap((step) => [`payment.${step}`, 'payment.updated']),
    ]);
    expect([...about(order.id), ...about(payment)].filter(({ verified }) => verified !== true)).toEqual([]);
    const { text } = await client.get(`/api/pg/payments/${payment}`);
    expect(about(payment).at(-1)?.raw).toContain(`"object":${text}`);
  });

  it('allows one payment only: a second one over the same order is a 409 (PAY-3)', async () => {
    const order = await payableOrder(client);
    ok(await requestPayment(client, [order]));
    const { status, body } = await requestPayment(client, [order]);
    expect([status, (body['error'] as { code: string }).code]).toEqual([409, 'PAYMENT_ALREADY_EXISTS']);
  });

  it('runs as the README describes', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const shell = /## The first five calls[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const script = shell.replace('BASE=http://127.0.0.1:3000', `BASE=${product.url}`);
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers.map(({ state, id }) => state ?? typeof id)).toEqual(['pending', 'number', 'confirmed']);
  });
});
