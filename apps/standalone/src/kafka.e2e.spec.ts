import { describeWithKafka, freePort, kafkaPrefix, testBrokers } from '@fundrail/testing';
import { Fleet } from './testing/fleet/fleet.ts';
import type { ApiClient } from './testing/api-client.ts';
import { ok, payableOrder, payablePayment, untilOrder } from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

const HOUR_MS = 3_600_000;
/** Eight processes start at once, on machines that have other things to do. */
const START_LIMIT_MS = 180_000;
/** An hour is some fifteen stops of the clock, each of some rounds of questions over eight processes. */
const JUMP_LIMIT_MS = 120_000;

describe('the standalone over a Kafka that is not there', () => {
  it('does not start, and says so in one line', async () => {
    const dataDir = await newDataDir();
    const brokers = `127.0.0.1:${await freePort()}`;
    const end = await StandaloneProcess.startToFail({
      dataDir,
      env: { EVENT_BUS: 'kafka', KAFKA_BROKERS: brokers },
    });
    await removeDataDir(dataDir);
    expect(end).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^fundrail did not start: KAFKA_BROKERS 127\.0\.0\.1:\d+ does not answer: \S.*$/m,
      ),
    });
  });
});

describeWithKafka('the standalone over Kafka', () => {
  let dataDir: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    dataDir = await newDataDir();
    env = { EVENT_BUS: 'kafka', KAFKA_BROKERS: testBrokers().join(','), KAFKA_PREFIX: kafkaPrefix() };
  });
  afterEach(() => removeDataDir(dataDir));

  it('makes its topics, brings a purchase to its end, and stops with 0', async () => {
    const standalone = await StandaloneProcess.start({ dataDir, env });
    const client = await standalone.client();
    const order = await payableOrder(client);
    const payment = await payablePayment(client, [order]);
    ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    await untilOrder(client, order, 'successful', 30_000);
    expect(await standalone.stop()).toEqual({ code: 0, signal: null });
  });
});

describeWithKafka("the sandbox's clock over replicas of separate processes", () => {
  let fleet: Fleet;
  let client: ApiClient;
  beforeAll(async () => {
    fleet = await Fleet.start({
      databaseUrl: process.env['DATABASE_URL'] ?? '',
      brokers: testBrokers(),
      replicas: { orders: 2, payments: 2, simulator: 2 },
    });
    client = await fleet.client();
  }, START_LIMIT_MS);
  afterAll(() => fleet.stop());

  const now = async () => new Date(String(ok(await client.get('/sandbox/clock')).body['now'])).getTime();
  const jump = async (advance: string) => ok(await client.post('/sandbox/clock', { advance }));

  it(
    'answers a jump when all that fell due on the way is done, in whichever process',
    async () => {
      const payments = await Promise.all(
        Array.from({ length: 2 }, async () => payablePayment(client, [await payableOrder(client)])),
      );
      await jump('PT1H');
      const ends = await Promise.all(
        payments.map(async (id) => (await client.get(`/api/pg/payments/${id}`)).body),
      );
      expect(ends.map(({ status, failure_code }) => [status, failure_code])).toEqual(
        payments.map(() => ['FAILED', 'payment_expired']),
      );
    },
    JUMP_LIMIT_MS,
  );

  it(
    'works jumps one after the other, although two replicas take them',
    async () => {
      const before = await now();
      await Promise.all([jump('PT1H'), jump('PT1H')]);
      expect(await now()).toBeGreaterThanOrEqual(before + 2 * HOUR_MS);
    },
    JUMP_LIMIT_MS,
  );
});
