import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { createOrder, ok, payableOrder, payablePayment, untilOrder } from './testing/purchase.ts';

const MINUTE_MS = 60_000;
/** A jump that takes longer has hung. */
const JUMP_LIMIT_MS = 120_000;

/** IST, as every time on the wire. */
const timeOf = (text: unknown) => new Date(String(text)).getTime();

describeProducts('a jump of three months', (start) => {
  let product: Product;
  let client: ApiClient;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
  });
  afterAll(() => product.stop());

  it(
    'ends each object at its own time, not at the end of the jump (CLOCK-5, CONV-31)',
    async () => {
      // given: orders that wait for consent, and a payment that waits for the investor
      const waiting = await Promise.all([createOrder(client), createOrder(client)]);
      for (const order of waiting) await untilOrder(client, order, 'pending');
      const payment = await payablePayment(client, [await payableOrder(client)]);
      const before = timeOf(ok(await client.get('/sandbox/clock')).body['now']);

      // when
      const after = timeOf(ok(await client.post('/sandbox/clock', { advance: 'P3M' })).body['now']);

      // then
      expect((after - before) / 86_400_000).toBeGreaterThan(88);
      const { body: paid } = await client.get(`/api/pg/payments/${payment}`);
      expect(paid).toMatchObject({ status: 'FAILED', failure_code: 'payment_expired' });
      // 10 minutes from the link's issue (TIME-2), which was just before.
      expect(timeOf(paid['failed_at']) - before).toBeLessThan(11 * MINUTE_MS);
      for (const { id } of waiting) {
        const { body } = await client.get(`/v2/mf_purchases/${id}`);
        expect(body).toMatchObject({ state: 'failed', failure_code: 'order_expiry' });
        // 00:00 IST of the eighth business day (ORD-22): holidays and weekends make it two weeks at most.
        const failedAt = timeOf(body['failed_at']);
        expect(failedAt - before).toBeLessThan(16 * 86_400_000);
        expect((failedAt + 330 * MINUTE_MS) % 86_400_000).toBeLessThan(MINUTE_MS);
      }
    },
    JUMP_LIMIT_MS,
  );
});
