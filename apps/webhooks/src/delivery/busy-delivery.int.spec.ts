import { Database } from '@fundrail/service-kit/db';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import { jest } from '@jest/globals';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { DeliveryMachine } from '../testing/delivery-machine.ts';

const ACCEPTED = {
  webhook_timestamp: null,
  status: 204,
  duration_ms: 1,
  error: null,
  response_body: '',
  retry_after_ms: null,
};

describe('a success whose delivery another transaction holds', () => {
  let database: TestDatabase;
  let machine: DeliveryMachine;
  let other: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    machine = new DeliveryMachine(database.url);
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
  });
  beforeEach(() => machine.begin());
  afterEach(async () => {
    jest.restoreAllMocks();
    await other.query('ROLLBACK');
  });
  afterAll(async () => {
    await Promise.all([machine.end(), other.end()]);
    await database.drop();
  });

  /** Records the success of the one delivery while its row is locked until so many tries are over. Returns what each try has stored. */
  async function triesBeside(held: number): Promise<number[]> {
    await machine.publish({ object: 'A', sequence: 1 });
    const { leased, token } = await machine.lease();
    const [delivery] = leased;
    if (!delivery) throw new Error('no delivery is due');
    await other.query('BEGIN');
    await other.query('SELECT FROM webhook_deliveries FOR UPDATE');
    const tries: number[] = [];
    const { query } = Database.prototype;
    jest.spyOn(Database.prototype, 'query').mockImplementation(async function (
      this: Database,
      statement,
      values,
    ) {
      const rows = await query.call(this, statement, values);
      const isTry = statement.name === 'delivery_attempts.insert_successes';
      if (isTry && tries.push(rows.length) === held) await other.query('ROLLBACK');
      return rows;
    });
    await machine.record(delivery, token, ACCEPTED, 0.5);
    return tries;
  }
  const statuses = async () => (await machine.deliveries()).map(({ status }) => status);

  it('is tried once more, without the lock of its endpoint', async () => {
    expect(await triesBeside(1)).toEqual([0, 1]);
    expect(await statuses()).toEqual(['delivered']);
  });

  it('is recorded under that lock when it is held for longer', async () => {
    expect(await triesBeside(2)).toEqual([0, 0]);
    expect(await statuses()).toEqual(['delivered']);
  });
});
