import { ok, type Order } from '../testing/purchase.ts';
import { paymentFor, type Buyer } from '../testing/crash/buyer.ts';
import { soundStage } from '../testing/crash/sound-stage.ts';
import type { CrashStage } from '../testing/crash/stage.ts';
import { finish } from '../testing/crash/walks.ts';

/** CLAIM-8, CLAIM-10: a time-out alone does not free a claim, and a freed claim never becomes a payment. */
describe('a claim without a payment', () => {
  const shared = soundStage();
  let stage: CrashStage;
  let buyer: Buyer;
  let order: Order;

  beforeEach(async () => {
    stage = shared.stage;
    buyer = stage.newBuyer();
    order = await buyer.payableOrder();
  });

  /** A client that sends one request and does not retry. */
  const askOnce = async (name: string) => {
    const client = await stage.product.client();
    const key = `${name} for ${order.id}`;
    const body = paymentFor([order]);
    return client.call('POST', '/api/pg/payments/netbanking', body, { 'idempotency-key': key });
  };
  const stall = (key: string) => {
    stage.product.arm({ point: 'payments.claimed', action: 'stall' });
    return { answer: askOnce(key), started: stage.product.untilStalled() };
  };
  const holder = async () => {
    const query = 'SELECT claimed_by::int AS holder FROM mf_orders WHERE old_id = $1';
    return (await stage.databases.rows<{ holder: number | null }>('orders', query, [order.oldId]))[0]?.holder;
  };
  const ids = () => stage.databases.rows('payments', 'SELECT kind FROM payment_ids ORDER BY id');

  it.each(['orders.sweep.leased', 'orders.sweep.resolved', 'orders.release.committed'])(
    'is freed although the process dies at %s too',
    async (point) => {
      const before = await ids();
      stage.product.arm({ point: 'payments.claimed' });
      const unanswered = askOnce('given up').catch(() => null);
      await stage.product.untilDead(30_000);
      await stage.product.start();
      expect([await unanswered, await holder()]).toEqual([null, expect.any(Number)]);
      stage.product.arm({ point });
      const passed = buyer.passMinutes(2);
      await stage.product.untilDead(30_000);
      await stage.product.start();
      await passed;
      await buyer.passMinutes(2);
      expect(await holder()).toBeNull();
      await finish(buyer, await buyer.pay([order]), [order]);
      await buyer.untilOrder(order, 'successful');
      expect((await ids()).slice(before.length)).toEqual([{ kind: 'void' }, { kind: 'payment' }]);
      // The audit wants an answer for each key.
      expect((await askOnce('given up')).status).toBeGreaterThanOrEqual(400);
      expect(await shared.findings()).toEqual([]);
    },
  );

  it('makes no payment when its request wakes up after another one has paid', async () => {
    const stalled = stall('first');
    await stalled.started;
    await buyer.passMinutes(2);
    expect(await holder()).toBeNull();
    const payment = await buyer.pay([order]);
    stage.product.resume();
    expect((await stalled.answer).status).toBe(503);
    expect((await askOnce('first')).body).toMatchObject({ error: { code: 'PAYMENT_ALREADY_EXISTS' } });
    await finish(buyer, payment, [order]);
    await buyer.untilOrder(order, 'successful');
    expect(await shared.findings()).toEqual([]);
  });

  it('makes no payment when its request wakes up late, and its retry makes one', async () => {
    const stalled = stall('first');
    await stalled.started;
    await buyer.passMinutes(2);
    stage.product.resume();
    expect((await stalled.answer).status).toBe(503);
    const payment = Number(ok(await askOnce('first')).body['id']);
    buyer.payments.add(payment);
    await finish(buyer, payment, [order]);
    await buyer.untilOrder(order, 'successful');
    expect(await shared.findings()).toEqual([]);
  });

  it('becomes one payment when the retry overtakes the stalled request', async () => {
    const stalled = stall('first');
    await stalled.started;
    // The 60 s for which a request holds its key pass.
    await stage.databases.endLeases();
    const payment = Number(ok(await askOnce('first')).body['id']);
    buyer.payments.add(payment);
    stage.product.resume();
    expect([409, 503]).toContain((await stalled.answer).status);
    expect(await holder()).toBe(payment);
    await finish(buyer, payment, [order]);
    await buyer.untilOrder(order, 'successful');
    expect(await shared.findings()).toEqual([]);
  });
});
