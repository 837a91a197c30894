import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { listDeliveries, type DeliveryQuery } from './delivery.repository.ts';

const DELIVERIES = 2_000;
const LIMIT = 20;
const FILL = `
  INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
  SELECT 'nwh_' || n, 'demo', 'https://shop.example/', '{*}', 'enabled', '', now(), now() FROM generate_series(1, 2) AS n;
  INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
  SELECT 'evt_' || n, 'demo', 'payment.updated', n, 'payment:' || n, 1, '{}', now(), now() FROM generate_series(1, ${DELIVERIES}) AS n;
  INSERT INTO webhook_deliveries (id, tenant, webhook, event, type, object_id, subject, sequence, status, created_at)
  SELECT 'whd_' || to_char(n, 'FM000000'), 'demo', 'nwh_' || n % 2 + 1, 'evt_' || n, 'payment.updated', n, 'payment:' || n, 1,
    'delivered', now() FROM generate_series(1, ${DELIVERIES}) AS n`;

describe("the list of an endpoint's deliveries", () => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  const webhook = { id: 'nwh_1', tenant: 'demo' };
  const anything = { status: null, event: null, types: null, object_id: null };
  const list = (after: string | null, over: Partial<DeliveryQuery> = {}) =>
    listDeliveries(explaining, webhook, { ...anything, limit: LIMIT, starting_after: after, ...over });

  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    for (const status of [null, 'pending', 'failed'] as const) await list(null, { status });
    await list(null, { event: 'evt_1' });
    await client.query(FILL);
    // A few of the oldest.
    await client.query(
      "UPDATE webhook_deliveries SET status = 'failed' WHERE id <= 'whd_000060' AND id > 'whd_000010'",
    );
    await client.query(
      "UPDATE webhook_deliveries SET status = 'pending', due_at = now() WHERE id <= 'whd_000010'",
    );
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['the newest', null],
    ['those in the middle', 'whd_001000'],
  ])('reads no more than it returns: %s', async (_, after) => {
    await list(after);
    expect(explaining.looked('webhook_deliveries')).toEqual({
      rows: LIMIT,
      by: ['webhook_deliveries_webhook'],
    });
  });

  it('finds those of an event without reading the others', async () => {
    await list(null, { event: 'evt_100' });
    expect(explaining.looked('webhook_deliveries').rows).toBe(2);
  });

  it.each([
    ['failed', LIMIT],
    ['pending', 5],
  ] as const)(
    'reads no more than it returns: those that are %s, among many delivered ones',
    async (status, rows) => {
      await list(null, { status });
      expect(explaining.looked('webhook_deliveries')).toEqual({ rows, by: [`webhook_deliveries_${status}`] });
    },
  );
});
