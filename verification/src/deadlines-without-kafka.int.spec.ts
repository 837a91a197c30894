import { istDate, istInstant, type PaymentDto } from '@fundrail/contracts';
import { createTopics, KafkaBus } from '@fundrail/messaging';
import { KafkaProxy } from '@fundrail/messaging/testing';
import { describeWithKafka, kafkaPrefix, testBrokers, waitFor } from '@fundrail/testing';
import { Logger } from '@nestjs/common';
import { referenceOf } from './testing/model/invariants.ts';
import { ModelStage } from './testing/model/model-stage.ts';

/** Time for members to join their groups again on a busy machine. */
const LIMIT = { limitMs: 60_000, everyMs: 50 };
const TEST_LIMIT_MS = 180_000;

interface Bought {
  readonly old_id: number;
  readonly id: string;
  readonly payment: number;
}

/** Decision 0029 with the real orders, payments and Kafka. Kafka is stopped in the evening. */
describeWithKafka('money at 23:00 while Kafka is away', () => {
  let proxy: KafkaProxy;
  let bus: KafkaBus;
  let stage: ModelStage;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    const connection = {
      brokers: testBrokers(),
      clientId: 'test',
      prefix: kafkaPrefix(),
      maxWaitTimeMs: 100,
    };
    await createTopics(connection, { replicationFactor: 1 });
    proxy = await KafkaProxy.start(connection);
    const quick = { watchEveryMs: 200, publishTimeoutMs: 2_000 };
    bus = new KafkaBus({ ...connection, brokers: proxy.brokers }, quick);
    stage = await ModelStage.start({ bus });
    await waitFor(() => bus.health().ready, { ...LIMIT, what: 'all groups to join' });
  }, TEST_LIMIT_MS);
  // A test that failed must not leave Kafka stopped for the next one.
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await stage.stop();
    await bus.close();
    await proxy.close();
    Logger.overrideLogger(['error', 'warn']);
  }, TEST_LIMIT_MS);

  async function bought(): Promise<Bought> {
    const [order] = await stage.payableOrders(1);
    if (!order) throw new Error('no order was made');
    const { status, body } = await pay(order);
    expect(status).toBe(200);
    const payment = Number(body['id']);
    stage.world.pay(referenceOf(payment));
    await stage.callBack('SDKVENDOR', referenceOf(payment));
    return { ...order, payment };
  }

  const pay = ({ old_id }: Pick<Bought, 'old_id'>) =>
    stage.send('POST', '/api/pg/payments/netbanking', {
      amc_order_ids: [old_id],
      payment_postback_url: 'https://app.example/back',
    });
  const confirm = ({ id }: Bought) => stage.send('PATCH', '/v2/mf_purchases', { id, state: 'confirmed' });
  const paymentOf = async ({ payment }: Bought) =>
    (await stage.send('GET', `/api/pg/payments/${payment}`)).body as PaymentDto & Record<string, unknown>;
  const stateOf = async ({ id }: Bought) => (await stage.send('GET', `/v2/mf_purchases/${id}`)).body['state'];
  const untilPayment = (one: Bought, status: PaymentDto['status']) =>
    waitFor(async () => (await paymentOf(one)).status === status, {
      ...LIMIT,
      what: `payment ${one.payment} to be ${status}`,
    });
  /** Moves the clock to that time of today, without waiting. */
  async function jumpTo(time: string): Promise<void> {
    const now = await stage.now();
    await stage.move(istInstant(istDate(now), time).getTime() - now.getTime());
  }
  /** Moves the clock to the next noon, so that 23:00 is still ahead. */
  async function goToNoon(): Promise<void> {
    await stage.toTheNight(13 * 3_600_000);
    await stage.quiet(LIMIT.limitMs);
  }

  it.each([
    ['is cut off', 'cut'],
    ['hangs', 'hang'],
  ] as const)(
    'given that it %s from before 23:00 until after, then confirmed orders keep their money, and the rest is refunded',
    async (_what, takeAway) => {
      await goToNoon();
      const [confirmed, other, forgotten] = [await bought(), await bought(), await bought()];
      const all = [confirmed, other, forgotten];
      for (const one of all) await untilPayment(one, 'SUCCESS');
      await jumpTo('22:00');
      await stage.quiet(LIMIT.limitMs);

      proxy[takeAway]();
      await waitFor(() => bus.health().downSince, { ...LIMIT, what: 'the outage to be noticed' });
      for (const one of [confirmed, other]) expect((await confirm(one)).status).toBe(200);
      await jumpTo('23:01');
      // Orders decides without Kafka: it fails what is not confirmed, and submits what is.
      await untilPayment(forgotten, 'REJECTED');
      for (const one of [confirmed, other]) await untilPayment(one, 'INITIATED');
      expect((await confirm(forgotten)).status).toBe(409);
      expect(bus.health().downSince).not.toBeNull();

      proxy.restore();
      await waitFor(() => bus.health().ready, { ...LIMIT, what: 'Kafka to be back' });
      await stage.quiet(LIMIT.limitMs);

      for (const one of [confirmed, other]) {
        expect(await paymentOf(one)).toMatchObject({ refunds: [] });
        expect(await stateOf(one)).toBe('submitted');
      }
      expect(await paymentOf(forgotten)).toMatchObject({
        status: 'REJECTED',
        refunds: [{ reason: 'order_not_confirmed', amc_order_ids: [forgotten.old_id] }],
      });
      // The event of the refund has arrived by now, and the order may be paid again.
      expect((await pay(forgotten)).status).toBe(200);
      expect((await confirm(forgotten)).status).toBe(200);
    },
    TEST_LIMIT_MS,
  );
});
