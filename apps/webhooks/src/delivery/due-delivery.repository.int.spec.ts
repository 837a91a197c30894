import { migrate, PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { leaseDueDeliveries } from './due-delivery.repository.ts';

const WAITING = 3_000;
const PLACES = 8;

/** One endpoint with a queue. */
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
      FROM events`);
}

describe('a lease', () => {
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
    const terms = { now, wallNow: now, token: 'token', until, perEndpoint: PLACES, most: 64 };
    await leaseDueDeliveries(explaining, terms);
    return explaining.looked('webhook_deliveries').rows;
  }

  it('among 3000 waiting deliveries does not look at all of them again for each', async () => {
    // By the wrong index it would be 150 looks at each.
    const looked = await looks();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(WAITING * 3);
  });

  it.each([
    ['by the plan of an empty table', 'SELECT'],
    ['by statistics', 'VACUUM ANALYZE webhook_deliveries'],
  ])('does not read the history, %s', async (_, statement) => {
    await client.query(
      "UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL, leased_until = NULL WHERE sequence < 30",
    );
    await client.query(statement);
    const looked = await looks();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });
});
