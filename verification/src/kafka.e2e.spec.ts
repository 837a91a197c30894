import { describeWithKafka, freePort, kafkaPrefix, testBrokers } from '@fundrail/testing';
import { Fleet } from './testing/fleet/fleet.ts';
import type { ApiClient } from './testing/api-client.ts';
import { ok, payableOrder, payablePayment, untilOrder } from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

const HOUR_MS = 3_600_000;
/** Eight processes start at the same time, on busy machines. */
const START_LIMIT_MS = 180_000;
/** Within an hour the clock stops about fifteen times, and each stop polls eight processes several times. */
const JUMP_LIMIT_MS = 120_000;

describe('the standalone without its Kafka', () => {
  it('does not start, and prints the reason in one line', async () => {
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

  it('creates its topics, completes a purchase, and exits with 0', async () => {
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
    'answers a jump when all work that fell due on the way is done, in every process',
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
    'runs jumps one after the other, although two replicas accept them',
    async () => {
      const before = await now();
      await Promise.all([jump('PT1H'), jump('PT1H')]);
      expect(await now()).toBeGreaterThanOrEqual(before + 2 * HOUR_MS);
    },
    JUMP_LIMIT_MS,
  );
});
