import type { Order } from '../testing/purchase.ts';
import { paymentFor, type Buyer } from '../testing/crash/buyer.ts';
import { soundStage } from '../testing/crash/sound-stage.ts';
import type { CrashStage } from '../testing/crash/stage.ts';
import { BY_SDK, finish } from '../testing/crash/walks.ts';

interface Row {
  readonly id: number;
  readonly status: string;
  readonly failure_code: string | null;
}

/** PAY-12, PAY-13: the creation needs the provider's answer, and its client never retries. */
describe('a payment by SDK whose request died without an Idempotency-Key', () => {
  const shared = soundStage();
  let stage: CrashStage;
  let buyer: Buyer;
  let order: Order;

  beforeEach(async () => {
    stage = shared.stage;
    buyer = stage.newBuyer();
    order = await buyer.payableOrder();
  });

  const dieAt = async (point: string): Promise<Row> => {
    stage.product.arm({ point });
    const client = await stage.product.client();
    const body = paymentFor([order], BY_SDK);
    const unanswered = client.call('POST', '/api/pg/payments/netbanking', body).catch(() => null);
    await stage.product.untilDead(30_000);
    await stage.product.start();
    expect(await unanswered).toBeNull();
    return only();
  };
  const only = async (): Promise<Row> => {
    const rows = await stage.databases.rows<Row>(
      'payments',
      `SELECT id::int AS id, status, failure_code FROM payments p JOIN payment_orders s ON s.payment_id = p.id
        WHERE s.old_id = $1 ORDER BY id LIMIT 1`,
      [order.oldId],
    );
    if (!rows[0]) throw new Error('there is no payment');
    buyer.payments.add(rows[0].id);
    return rows[0];
  };

  it.each(['payments.created', 'payments.checkout_answered'])(
    'at %s is given up after a minute, and its order can be paid',
    async (point) => {
      const { id, status } = await dieAt(point);
      expect(status).toBe('PENDING');
      await buyer.passMinutes(2);
      expect(await only()).toEqual({ id, status: 'FAILED', failure_code: 'pg_server_error' });
      await finish(buyer, await buyer.pay([order]), [order]);
      await buyer.untilOrder(order, 'successful');
      expect(await shared.findings()).toEqual([]);
    },
  );

  it('at payments.checkout_opened is kept, and its client finds where to pay', async () => {
    const { id } = await dieAt('payments.checkout_opened');
    await buyer.passMinutes(2);
    expect(await buyer.payment(id)).toMatchObject({ status: 'PENDING', sdk_options: expect.anything() });
    await buyer.confirm([order]);
    await buyer.play(id, 'SUCCESS');
    await buyer.untilPayment(id, 'APPROVED');
    await buyer.untilOrder(order, 'successful');
    expect(await shared.findings()).toEqual([]);
  });
});
