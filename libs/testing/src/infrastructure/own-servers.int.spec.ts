import pg from 'pg';
import { waitFor } from '../wait-for.ts';
import { describeWithKafka } from './describe-with.ts';
import { startOwnKafka, type OwnKafka } from './own-kafka.ts';
import { startOwnPostgres } from './own-postgres.ts';
import type { OwnPostgres } from './own-server.ts';
import { localKafka } from './sources.ts';

describe('a PostgreSQL for one suite', () => {
  let server: OwnPostgres;
  beforeAll(async () => (server = await startOwnPostgres()));
  afterAll(() => server.remove());

  const ask = async (text: string, connectionTimeoutMillis = 5_000) => {
    const client = new pg.Client({ connectionString: server.url, connectionTimeoutMillis });
    client.on('error', () => undefined);
    await client.connect();
    return (await client.query<Record<string, unknown>>(text).finally(() => client.end())).rows[0];
  };

  it.each(['stop', 'kill'] as const)(
    'is gone after %s, and comes back at the same address with its data',
    async (end) => {
      await ask(`CREATE TABLE before_${end} AS SELECT 42 AS answer`);
      await server[end]();
      await expect(ask('SELECT 1')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|terminated/);
      await server.start();
      expect(await ask(`SELECT answer FROM before_${end}`)).toEqual({ answer: 42 });
    },
  );

  it('answers nothing while it is paused, and continues afterwards', async () => {
    await server.pause();
    await expect(ask('SELECT 1', 300)).rejects.toThrow('timeout');
    await server.resume();
    expect(await ask('SELECT 1 AS one')).toEqual({ one: 1 });
  });
});

describeWithKafka('a Kafka for one suite', () => {
  let server: OwnKafka;
  let answers: () => Promise<boolean>;
  beforeAll(async () => {
    server = await startOwnKafka();
    const { brokerAnswers } = await localKafka();
    const [host = '', port] = (server.brokers[0] ?? '').split(':');
    answers = () => brokerAnswers(host, Number(port));
  });
  afterAll(() => server.remove());

  it.each(['stop', 'kill'] as const)('is gone after %s, and comes back at the same address', async (end) => {
    await server[end]();
    expect(await answers()).toBe(false);
    await server.start();
    expect(await answers()).toBe(true);
  });

  it('answers nothing while it is paused, and continues afterwards', async () => {
    await server.pause();
    expect(await answers()).toBe(false);
    await server.resume();
    await waitFor(answers, { what: 'the broker' });
  });
});
