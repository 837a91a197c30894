import {
  createTestDatabase,
  describeWithKafka,
  kafkaPrefix,
  testBrokers,
  waitFor,
  type TestDatabase,
} from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import { bootstrap, Log, type Environment, type RunningService } from '../index.ts';
import { echoService, say, workLater } from '../testing/echo.service.ts';
import { TokenIssuer } from '../testing/token-issuer.ts';
import { migrateCommand } from './migrate-command.ts';

/** The most that can be set, and longer than any wait below: partitions of a member that did not leave would be unassigned for so long. */
const SESSION_TIMEOUT_MS = 45_000;
/** As long as that allows: a rebalance of a busy broker takes many seconds. */
const LIMIT_MS = 40_000;

describeWithKafka('two replicas of a service over Kafka', () => {
  let database: TestDatabase;
  let env: Environment;
  let one: RunningService;
  let other: RunningService;

  beforeAll(async () => {
    database = await createTestDatabase();
    env = {
      SANDBOX: 'true',
      ORDERS_DATABASE_URL: database.url,
      KAFKA_BROKERS: testBrokers().join(','),
      KAFKA_PREFIX: kafkaPrefix(),
      KAFKA_SESSION_TIMEOUT_MS: String(SESSION_TIMEOUT_MS),
    };
    expect(await migrateCommand(echoService, [], env)).toMatchObject({ code: 0 });
    [one, other] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await database.drop();
  });

  async function start(): Promise<RunningService> {
    const transport = await TokenIssuer.create();
    const service = await bootstrap(echoService, {
      env,
      transport,
      listen: false,
      log: Log.to('echo', 'silent'),
    });
    await service.ready();
    return service;
  }
  const rows = <T>(text: string, values: unknown[] = []) =>
    other.database.dataSource.query<T[]>(text, values);
  const newVoices = () => Array.from({ length: 20 }, () => `voice_${randomUUID()}`);

  /** Every voice speaks so many times, in turns through these replicas. */
  async function speak(voices: readonly string[], times: number, through: readonly RunningService[]) {
    await Promise.all(
      voices.map(async (voice, index) => {
        for (let said = 0; said < times; said += 1) {
          const service = through[(said + index) % through.length];
          if (service) await say(service.database, voice);
        }
      }),
    );
  }
  async function expectReceived(voices: readonly string[], times: number): Promise<void> {
    const received = () =>
      rows<{ voice: string; sequence: number }>(
        'SELECT voice, sequence FROM received WHERE voice = ANY($1) ORDER BY place',
        [voices],
      );
    await waitFor(async () => (await received()).length >= voices.length * times, {
      limitMs: LIMIT_MS,
      what: `${times} events of every voice`,
    });
    const byVoice = Map.groupBy(await received(), ({ voice }) => voice);
    const inOrder = Array.from({ length: times }, (_, index) => index + 1);
    for (const voice of voices) expect(byVoice.get(voice)?.map(({ sequence }) => sequence)).toEqual(inOrder);
  }

  it('consume each event once and in order, no matter which of them wrote it, and publish through one relay', async () => {
    const voices = newVoices();
    await speak(voices, 10, [one, other]);
    await expectReceived(voices, 10);
    const leaders = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE locktype = 'advisory' AND granted AND datname = current_database()`;
    expect(await rows(leaders)).toHaveLength(1);
  });

  it('share the due work, each row once', async () => {
    const keys = Array.from({ length: 100 }, () => randomUUID()).sort();
    await Promise.all(keys.map((key, index) => workLater((index % 2 ? one : other).database, key)));
    await waitFor(async () => (await rows('SELECT FROM due_work')).length === 0, { what: 'no due work' });
    const worked = await rows<{ key: string }>('SELECT key FROM worked WHERE key = ANY($1)', [keys]);
    expect(worked.map(({ key }) => key).sort()).toEqual(keys);
  });

  it('when one stops, the other takes its partitions and the relay; when it is back, they share again', async () => {
    const voices = newVoices();
    await speak(voices, 2, [one, other]);
    await one.stop();
    await speak(voices, 2, [other]);
    await expectReceived(voices, 4);
    one = await start();
    await speak(voices, 2, [one, other]);
    await expectReceived(voices, 6);
  });

  it('lose no event when a third one joins and leaves while they speak', async () => {
    const voices = newVoices();
    const speaking = speak(voices, 10, [one, other]);
    const third = await start();
    await third.stop();
    await speaking;
    await expectReceived(voices, 10);
  });
});
