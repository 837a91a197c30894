import type { Order } from '../testing/purchase.ts';
import { paymentFor, type Buyer } from '../testing/crash/buyer.ts';
import { CrashStage } from '../testing/crash/stage.ts';
import { BY_SDK, finish } from '../testing/crash/walks.ts';

interface Row {
  readonly id: number;
  readonly status: string;
  readonly failure_code: string | null;
}

/** PAY-12, PAY-13: the creation needs the provider's answer, and its client never retries. */
describe('a payment by SDK whose request died without an Idempotency-Key', () => {
  let stage: CrashStage;
  let buyer: Buyer;
  let order: Order;

  beforeEach(async () => {
    stage = await CrashStage.open();
    buyer = stage.newBuyer();
    order = await buyer.payableOrder();
  });
  afterEach(() => stage.close());

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
      'SELECT id::int AS id, status, failure_code FROM payments ORDER BY id LIMIT 1',
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
      expect(await stage.findings()).toEqual([]);
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
    expect(await stage.findings()).toEqual([]);
  });
});
