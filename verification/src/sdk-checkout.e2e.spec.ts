import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, untilOrder, untilPayment } from './testing/purchase.ts';

const seed = z.object({
  sdkvendor: z.object({ base_url: z.url(), key_id: z.string(), key_secret: z.string() }),
});
const created = z.object({
  id: z.int(),
  sdk_options: z.object({ sdkvendor: z.object({ order_id: z.string(), callback_url: z.url() }) }),
});
const attempts = z.object({ items: z.array(z.object({ id: z.string() })).min(1) });

type Posted = Readonly<Record<string, string>>;

describeProducts('a purchase paid by the SDK (CAP-6)', (start) => {
  let product: Product;
  let client: ApiClient;
  let sdkvendor: z.output<typeof seed>['sdkvendor'];
  beforeAll(async () => {
    product = await start();
    client = await product.client();
    const settings = { sdk_options_enabled: true };
    ok(await (await product.operator()).patch('/admin/tenants/demo/settings', settings));
    ({ sdkvendor } = seed.parse((await client.get('/sandbox/seed')).body));
  });
  afterAll(() => product.stop());

  const started = async () => {
    const order = await payableOrder(client);
    const answer = await client.post('/api/pg/payments/netbanking', {
      amc_order_ids: [order.oldId],
      payment_postback_url: 'http://localhost:8080/done',
    });
    const { id, sdk_options } = created.parse(ok(answer).body);
    return { order, id, ...sdk_options.sdkvendor };
  };
  const paid = async () => {
    const payment = await started();
    ok(await client.post(`/api/pg/simulate/payments/${payment.id}`, { status: 'SUCCESS' }));
    return { ...payment, attempt: await attemptUnder(payment.order_id) };
  };
  const attemptUnder = async (order: string) => {
    const { base_url, key_id, key_secret } = sdkvendor;
    const authorization = `Basic ${Buffer.from(`${key_id}:${key_secret}`).toString('base64')}`;
    const answer = await fetch(`${base_url}/v1/orders/${order}/payments`, { headers: { authorization } });
    return attempts.parse(await answer.json()).items[0]?.id ?? '';
  };
  /** The fields that the SDK passes to its handler. */
  const signed = (order: string, attempt: string): Posted => ({
    razorpay_payment_id: attempt,
    razorpay_order_id: order,
    razorpay_signature: createHmac('sha256', sdkvendor.key_secret)
      .update(`${order}|${attempt}`)
      .digest('hex'),
  });
  const asJson = (url: string, body: Posted) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const asForm = (url: string, body: Posted) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(body) });
  const statusOf = async (answer: Response) =>
    /name="status" value="(\w+)"/.exec(await answer.text())?.[1] ?? answer.status;
  const status = async (id: number) => (await client.get(`/api/pg/payments/${id}`)).body['status'];

  it.each([
    ['JSON', asJson],
    ['a form post', asForm],
  ])(
    'given a payment in the SDK, when it is posted as %s, twice, then it is paid once, and the purchase completes',
    async (_, post) => {
      const { id, order, order_id, attempt, callback_url } = await paid();
      expect(await statusOf(await post(callback_url, signed(order_id, attempt)))).toBe('success');
      expect(await statusOf(await post(callback_url, signed(order_id, attempt)))).toBe('success');
      ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
      await untilPayment(client, id, 'APPROVED');
      await untilOrder(client, order, 'successful');
      expect((await client.get(`/api/pg/payments/${id}`)).body['refunds']).toEqual([]);
    },
  );

  it("given a wrong signature, or another payment's, when it is posted, then it is a 400 and changes nothing", async () => {
    const { id, order_id, callback_url } = await started();
    const other = await paid();
    const wrong = { ...signed(order_id, other.attempt), razorpay_signature: 'f'.repeat(64) };
    for (const body of [wrong, signed(other.order_id, other.attempt)])
      expect((await asJson(callback_url, body)).status).toBe(400);
    expect(await status(id)).toBe('PENDING');
  });

  it('given a signature without a capture, when it is posted, then the page shows pending, and the status stays', async () => {
    const { id, order_id, callback_url } = await started();
    expect(await statusOf(await asForm(callback_url, signed(order_id, 'pay_00000000000000')))).toBe(
      'pending',
    );
    expect(await status(id)).toBe('PENDING');
  });

  it('given an error of the SDK, when the investor pays after it, then the payment succeeds', async () => {
    const { id, order_id, callback_url } = await started();
    const error = {
      'error[code]': 'BAD_REQUEST_ERROR',
      'error[reason]': 'payment_cancelled',
      'error[metadata]': JSON.stringify({ order_id }),
    };
    expect(await statusOf(await asForm(callback_url, error))).toBe('pending');
    ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }));
    const post = signed(order_id, await attemptUnder(order_id));
    expect(await statusOf(await asForm(callback_url, post))).toBe('success');
    await untilPayment(client, id, 'SUCCESS');
  });
});
