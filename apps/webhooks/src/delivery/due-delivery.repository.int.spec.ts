import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { newEventRow } from '../event/event.ts';
import { insertAndDeliverEvents } from '../event/event.repository.ts';
import { webhooksService } from '../index.ts';
import { insertSuccesses } from './attempt.repository.ts';
import { leaseDueDeliveries } from './due-delivery.repository.ts';
import { insertRepeatedFailures } from './repeated-failure.repository.ts';

const WAITING = 3_000;
const HELD = 20_000;
const PLACES = 8;

/** One endpoint with a queue, and one that fails: each of its 100 objects has an event to retry later and 200 held behind it. */
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

/** How many deliveries a lease of `most` reads. */
async function looksOfLease(explaining: Explaining, most: number): Promise<number> {
  const now = new Date();
  const until = new Date(now.getTime() + 20_000);
  const terms = { now, wallNow: now, token: 'token', until, perEndpoint: PLACES, most, rate: 100 };
  await leaseDueDeliveries(explaining, terms);
  return explaining.looked('webhook_deliveries').rows;
}

describe('the statements for each delivery', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  // A connection plans its lease when the tables are empty, and keeps the plan until statistics are collected.
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    await client.query('ANALYZE notification_webhooks, events, webhook_deliveries');
    explaining = new Explaining(client);
    await looks();
    await looksWhenEnding();
    await looksWhenStoring();
    await fill(client);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** How many deliveries a lease reads. */
  const looks = () => looksOfLease(explaining, 64);

  /** How many deliveries the end of eight deliveries reads. */
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

  /** How many deliveries are read when eight events of both tenants are stored, each behind others of its object. */
  async function looksWhenStoring(): Promise<number> {
    const about = { type: 'payment.updated', sequence: WAITING, data_text: '{}', traceparent: null };
    const rows = Array.from({ length: PLACES }, (_, n) => {
      const given = { id: `evt_new_${n}`, tenant: n % 2 ? 'demo' : 'down', aggregate_id: String(n) };
      return newEventRow({ ...about, ...given, occurred_at: '2026-11-21T10:00:00Z' }, new Date());
    });
    await client.query('BEGIN');
    await insertAndDeliverEvents(explaining, rows, new Date());
    await client.query('ROLLBACK');
    return explaining.looked('webhook_deliveries').rows;
  }

  it('reads, for events that it stores, only the last deliveries of their objects', async () => {
    const looked = await looksWhenStoring();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 6);
  });

  it('reads only what it ends', async () => {
    const looked = await looksWhenEnding();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });

  it('reads, for a lease, only what it takes, among 3000 waiting and 20 000 held deliveries', async () => {
    const looked = await looks();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });

  it.each([
    ['by the plan of an empty table', 'SELECT'],
    ['vacuumed', 'VACUUM webhook_deliveries'],
    ['by statistics', 'VACUUM ANALYZE webhook_deliveries'],
  ])('does not read the history for a lease, %s', async (_, statement) => {
    await client.query(
      "UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL, leased_until = NULL WHERE sequence < 30",
    );
    await client.query(statement);
    const looked = await looks();
    expect(looked).toBeGreaterThanOrEqual(PLACES);
    expect(looked).toBeLessThan(PLACES * 20);
  });
});

describe('the statements for each delivery among many endpoints', () => {
  const ENDPOINTS = 40;
  const EACH = 5;
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    await lease();
    await fail(new Date());
    await client.query(`
      INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at, failing_since)
      SELECT 'nwh_' || n, 'tenant-' || n % 10, 'https://shop.example/', '{*}', 'enabled', '', now(), now(),
             CASE WHEN n > ${ENDPOINTS} THEN now() END
        FROM generate_series(1, ${2 * ENDPOINTS}) AS n;
      INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
      VALUES ('evt_1', 'tenant-1', 'payment.updated', '1', 'payment:1', 1, '{}', now(), now());
      INSERT INTO webhook_deliveries
        (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, lease_token, leased_until, created_at)
      SELECT 'whd_' || w.id || '_' || n, w.tenant, w.id, 'evt_1', 'payment.updated', n, 'payment:' || n, 1, 'pending', now(),
             CASE WHEN failing_since IS NOT NULL THEN 'token' END, CASE WHEN failing_since IS NOT NULL THEN now() + interval '1 min' END,
             now()
        FROM notification_webhooks w CROSS JOIN generate_series(1, ${EACH}) AS n;
      INSERT INTO webhook_deliveries
        (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
      SELECT 'whd_old_' || n, 'tenant-' || n % 10, 'nwh_' || 1 + n % 80, 'evt_1', 'payment.updated', n, 'payment:' || n, 1, 'delivered', NULL, now()
        FROM generate_series(1, 30000) AS n`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const lease = () => looksOfLease(explaining, 512);

  /** Records the failure of one delivery of each failing endpoint. */
  async function fail(at: Date): Promise<number> {
    const failures = Array.from({ length: ENDPOINTS }, (_, index) => {
      const number = ENDPOINTS + 1 + index;
      const [webhook, tenant] = [`nwh_${number}`, `tenant-${number % 10}`];
      const id = `whd_${webhook}_1`;
      const delivery = { id, tenant, webhook, tries: 0, planned_at: null };
      const answer = {
        webhook_timestamp: 1,
        status: 500,
        duration_ms: 1,
        error: 'none',
        response_body: 'no',
      };
      return {
        delivery,
        leaseToken: 'token',
        attempt: { ...answer, delivery: id, url: 'https://shop.example/' },
        next: { tries: 1, planned_at: null, due_at: at },
      };
    });
    await insertRepeatedFailures(explaining, failures, { at, stored_at: at });
    return explaining.looked('webhook_deliveries').rows;
  }

  describe.each([
    ['by the plan of an empty table', 'SELECT'],
    // Statistics of the history only, not of the endpoints, as autovacuum may collect them: then a join estimates one endpoint.
    ['vacuumed', 'VACUUM webhook_deliveries'],
    ['by statistics', 'VACUUM ANALYZE webhook_deliveries'],
  ])('%s', (_, statement) => {
    beforeAll(() => client.query(statement));
    beforeEach(() => client.query('BEGIN'));
    afterEach(() => client.query('ROLLBACK'));

    it('reads, for a lease, each a few times, and not once for each endpoint', async () => {
      const looked = await lease();
      expect(looked).toBeGreaterThanOrEqual(ENDPOINTS * EACH);
      expect(looked).toBeLessThan(ENDPOINTS * EACH * 6);
    });

    it('reads each failed one a few times, and not once for each of the others', async () => {
      const looked = await fail(new Date());
      expect(looked).toBeGreaterThanOrEqual(ENDPOINTS);
      expect(looked).toBeLessThan(ENDPOINTS * 6);
    });
  });
});
