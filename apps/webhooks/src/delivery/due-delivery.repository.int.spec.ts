import { migrate, PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { insertSuccesses } from './attempt.repository.ts';
import { leaseDueDeliveries } from './due-delivery.repository.ts';

const WAITING = 3_000;
const HELD = 20_000;
const PLACES = 8;

/** One endpoint with a queue, and one that fails: each of its 100 objects has an event to be tried later and 200 behind it. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
    VALUES ('nwh_1', 'demo', 'https://shop.example/', '{*}', 'enabled', '', now(), now());
    INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
    SELECT 'evt_' || n, 'demo', 'payment.updated', n % 100, 'payment:' || n % 100, n / 100 + 1, '{}', now(), now()
      FROM generate_series(0, ${WAITING - 1}) AS n;
    INSERT INTO webhook_deliveries
      (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
    SELECT 'whd_' || id, tenant, 'nwh_1', id, type, object_id, subject, sequence, 'pending', now() - interval '1 hour' + sequence * interval '1 s', now()
      FROM events;
    INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at, failing_since)
    VALUES ('nwh_2', 'down', 'https://shop.example/', '{*}', 'enabled', '', now(), now(), now());
    INSERT INTO webhook_deliveries
      (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
    SELECT 'whd_held_' || n, 'down', 'nwh_2', 'evt_0', 'payment.updated', n % 100, 'payment:' || n % 100, n / 100 + 1, 'pending',
           CASE WHEN n < 100 THEN now() + interval '1 hour' END, now() - interval '1 day'
      FROM generate_series(0, ${HELD - 1}) AS n`);
}

describe('what is done with each delivery', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  // A connection plans its lease on the first day, when there is nothing, and keeps the plan until statistics are taken.
  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(webhooksService, database.url);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    await client.query('ANALYZE notification_webhooks, events, webhook_deliveries');
    explaining = new Explaining(client);
    await looks();
    await looksWhenEnding();
    await fill(client);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** How many deliveries it looks at. */
  async function looks(): Promise<number> {
    const now = new Date();
    const until = new Date(now.getTime() + 20_000);
    const terms = { now, wallNow: now, token: 'token', until, perEndpoint: PLACES, most: 64, rate: 100 };
    await leaseDueDeliveries(explaining, terms);
    return explaining.looked('webhook_deliveries').rows;
  }

  /** How many deliveries the end of eight looks at. */
  async function looksWhenEnding(): Promise<number> {
    const answer = {
      url: 'https://shop.example/',
      webhook_timestamp: 1,
      status: 204,
      duration_ms: 1,
      error: 'none',
      response_body: 'ok',
    };
    const successes = Array.from({ length: PLACES }, (_, index) => ({
      tenant: 'demo',
      webhook: 'nwh_1',
      attempt: { ...answer, delivery: `whd_evt_${WAITING - 1 - index}` },
    }));
    await insertSuccesses(explaining, successes, { at: new Date(), stored_at: new Date() });
    return explaining.looked('webhook_deliveries').rows;
  }

  it('looks at what it ends', async () => {
    const looked = await looksWhenEnding();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });

  it('looks, by a lease, at what it takes, among 3000 that wait and 20 000 that are held', async () => {
    const looked = await looks();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });

  it.each([
    ['by the plan of an empty table', 'SELECT'],
    ['by statistics', 'VACUUM ANALYZE webhook_deliveries'],
  ])('does not read the history by a lease, %s', async (_, statement) => {
    await client.query(
      "UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL, leased_until = NULL WHERE sequence < 30",
    );
    await client.query(statement);
    const looked = await looks();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });
});
