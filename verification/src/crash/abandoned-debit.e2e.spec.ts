import type { Order } from '../testing/purchase.ts';
import type { Buyer } from '../testing/crash/buyer.ts';
import { authorised, cancel, debit } from '../testing/crash/mandate-walks.ts';
import { soundStage } from '../testing/crash/sound-stage.ts';
import type { CrashStage } from '../testing/crash/stage.ts';

/**
 * CLAIM-8, CLAIM-10: when the request of a debit died, its claim and its admission are freed as soon as its id can no longer become a
 * payment.
 */
describe('a debit whose request died without an Idempotency-Key', () => {
  const shared = soundStage();
  let stage: CrashStage;
  let buyer: Buyer;
  let mandate: number;
  let order: Order;

  beforeEach(async () => {
    stage = shared.stage;
    buyer = stage.newBuyer();
    mandate = await authorised(buyer);
    order = await buyer.payableOrder(2500);
  });

  const admitted = () =>
    stage.databases.rows<{ state: string }>(
      'mandates',
      'SELECT state FROM mandate_debits WHERE mandate_id = $1 ORDER BY payment_id',
      [mandate],
    );

  it.each([
    ['payments.claimed', null],
    ['mandates.debit.committed', null],
    ['payments.debit_admitted', null],
    ['payments.debit_admitted', 'mandates.sweep.leased'],
    ['payments.debit_admitted', 'mandates.sweep.resolved'],
  ])(
    'at %s is freed, although the process dies at %s too, and the order is debited by the next one',
    async (point, then) => {
      stage.product.arm({ point });
      const client = await stage.product.client();
      const body = { mandate_id: mandate, amc_order_ids: [order.oldId] };
      const unanswered = client.call('POST', '/api/pg/payments/nach', body).catch(() => null);
      await stage.product.untilDead(30_000);
      await stage.product.start();
      expect(await unanswered).toBeNull();
      if (then !== null) stage.product.arm({ point: then });
      const passed = buyer.passMinutes(3);
      if (then !== null) {
        await stage.product.untilDead(30_000);
        await stage.product.start();
      }
      await passed;
      await buyer.passMinutes(3);
      for (const { state } of await admitted()) expect(state).toBe('released');
      const payment = await debit(buyer, mandate, order);
      await buyer.confirm([order]);
      await buyer.untilOrder(order, 'submitted');
      await buyer.passMinutes(2 * 24 * 60);
      await buyer.untilPayment(payment, 'APPROVED');
      await cancel(buyer, mandate);
      expect(await shared.findings()).toEqual([]);
    },
  );
});
