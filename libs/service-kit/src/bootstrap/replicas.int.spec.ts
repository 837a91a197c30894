import {
  createTestDatabase,
  describeWithKafka,
  kafkaPrefix,
  testBrokers,
  waitFor,
  type TestDatabase,
} from '@fundrail/testing';
import { bootstrap, Log, type Environment, type RunningService } from '../index.ts';
import { echoService, say, workLater } from '../testing/echo.service.ts';
import { TokenIssuer } from '../testing/token-issuer.ts';
import { migrateCommand } from './migrate-command.ts';

const VOICES = Array.from({ length: 20 }, (_, index) => `voice_${index}`);
/** Longer than any wait here: partitions of a member that did not leave would be nobody's for so long. */
const SESSION_TIMEOUT_MS = '60000';
const JOIN_LIMIT_MS = 30_000;

describeWithKafka('two replicas of a service over Kafka', () => {
  let database: TestDatabase;
  let env: Environment;
  let replicas: [RunningService, RunningService];

  beforeEach(async () => {
    database = await createTestDatabase();
    env = {
      SANDBOX: 'true',
      ORDERS_DATABASE_URL: database.url,
      KAFKA_BROKERS: testBrokers().join(','),
      KAFKA_PREFIX: kafkaPrefix(),
      KAFKA_SESSION_TIMEOUT_MS: SESSION_TIMEOUT_MS,
    };
    expect(await migrateCommand(echoService, [], env)).toMatchObject({ code: 0 });
    replicas = [await start(), await start()];
    await Promise.all(replicas.map((replica) => replica.ready()));
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database.drop();
  });

  async function start(): Promise<RunningService> {
    const transport = await TokenIssuer.create();
    return bootstrap(echoService, { env, transport, listen: false, log: Log.to('echo', 'silent') });
  }
  const rows = <T>(text: string) => replicas[0].database.dataSource.query<T[]>(text);
  const heard = () =>
    rows<{ voice: string; sequence: number }>('SELECT voice, sequence FROM heard ORDER BY place');

  /** Every voice speaks through both replicas. */
  async function speak(times: number): Promise<void> {
    await Promise.all(
      VOICES.map(async (voice, index) => {
        for (let said = 0; said < times; said += 1)
          await say((replicas[(said + index) % 2] ?? replicas[0]).database, voice);
      }),
    );
  }
  async function expectHeard(times: number): Promise<void> {
    await waitFor(async () => (await heard()).length >= VOICES.length * times, {
      limitMs: JOIN_LIMIT_MS,
      what: `${times} events of every voice`,
    });
    const byVoice = Map.groupBy(await heard(), ({ voice }) => voice);
    const inOrder = Array.from({ length: times }, (_, index) => index + 1);
    for (const voice of VOICES) expect(byVoice.get(voice)?.map(({ sequence }) => sequence)).toEqual(inOrder);
  }

  it('consume each event once and in order, whichever of them wrote it', async () => {
    await speak(10);
    await expectHeard(10);
  });

  it('have one relay that publishes', async () => {
    await speak(1);
    await expectHeard(1);
    const locks = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE locktype = 'advisory' AND granted AND datname = current_database()`;
    expect(await rows(locks)).toHaveLength(1);
  });

  it('share what falls due, each row once', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `key_${index}`);
    await Promise.all(
      keys.map((key, index) => workLater((replicas[index % 2] ?? replicas[0]).database, key)),
    );
    await waitFor(async () => (await rows('SELECT FROM due_work')).length === 0, { what: 'no due work' });
    const worked = await rows<{ key: string }>('SELECT key FROM worked ORDER BY key');
    expect(worked.map(({ key }) => key)).toEqual([...keys].sort());
  });

  it.each([0, 1])(
    'leave their partitions and the relay to the other at once when one stops: %i',
    async (index) => {
      await speak(2);
      const [leaving, staying] = index === 0 ? replicas : [replicas[1], replicas[0]];
      await leaving.stop();
      replicas = [staying, staying];
      await speak(2);
      await expectHeard(4);
    },
  );

  it('hand over while they speak', async () => {
    const speaking = speak(5);
    const third = await start();
    await third.ready();
    await speaking;
    await third.stop();
    await expectHeard(5);
  });
});
