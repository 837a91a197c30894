import pg from 'pg';
import { describeWithKafka, testBrokers } from './describe-with.ts';
import { localKafka } from './sources.ts';

describe('the PostgreSQL of a test run', () => {
  it('is there for every integration test, under DATABASE_URL', async () => {
    const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    await client.end();
    expect(Number(rows[0]?.server_version_num)).toBeGreaterThanOrEqual(180_000);
  });
});

describeWithKafka('the Kafka of a test run', () => {
  it('answers at the addresses of testBrokers', async () => {
    const { brokerAnswers } = await localKafka();
    for (const broker of testBrokers()) {
      const [host = '', port] = broker.split(':');
      expect([broker, await brokerAnswers(host, Number(port))]).toEqual([broker, true]);
    }
  });
});
