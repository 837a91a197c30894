import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { insertDueEndpoint } from '../testing/due-endpoint.ts';
import { WebhooksStage } from '../testing/webhooks-stage.ts';
import { waitingDeliveries } from './waiting-deliveries.repository.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe('the count of waiting deliveries', () => {
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
    await stage.service.dueWorker.stop();
  });
  afterAll(() => stage.end());

  const rows = (text: string, ...values: readonly unknown[]) =>
    stage.service.database.dataSource.query<unknown[]>(text, [...values]);
  /** Deliveries of the only stored event, due a millisecond apart. In parts, because a service's statement may take 10 s. */
  const due = async (webhook: string, count: number, since: Date) => {
    for (let from = 0; from < count; from += 1_000)
      await rows(
        `INSERT INTO webhook_deliveries (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
         SELECT $1 || '_' || n, e.tenant, $1, e.id, e.type, e.object_id, e.subject, n, 'pending',
                $3::timestamptz + n * interval '1 millisecond', $3
           FROM events e CROSS JOIN generate_series($4::int, least($4 + 1000, $2::int) - 1) n`,
        webhook,
        count,
        since,
        from,
      );
  };

  it('given a failing endpoint with more deliveries than are counted, then healthy endpoints are reported as before', async () => {
    await stage.publish();
    const failing = await stage.endpoint('http://127.0.0.1:1/failing');
    const well = await stage.endpoint('http://127.0.0.1:1/well');
    await rows('UPDATE notification_webhooks SET failing_since = $2 WHERE id = $1', failing.id, before(90));
    await due(failing.id, 10_500, before(80));
    await due(well.id, 2, before(30));
    await due((await stage.endpoint('http://127.0.0.1:1/slow')).id, 3, before(40));
    expect(await waitingDeliveries(stage.service.database, NOW, NOW)).toEqual({
      well: { waiting: 5, oldest: before(40) },
      failing: { waiting: 10_000, oldest: before(80) },
    });
  });

  it('given no due delivery, then there is no oldest', async () => {
    expect(await waitingDeliveries(stage.service.database, before(100), NOW)).toEqual({
      well: { waiting: 0, oldest: null },
      failing: { waiting: 0, oldest: null },
    });
  });
});

describe('the statement for that', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['by the plan of an empty table', 'SELECT'],
    ['by statistics', 'VACUUM ANALYZE webhook_deliveries, notification_webhooks'],
  ])('given 3000 endpoints without waiting deliveries, then they are not read, %s', async (_, statement) => {
    // given
    const explaining = new Explaining(client);
    await waitingDeliveries(explaining, NOW, NOW);
    const endpoint = (id: string, due: number) =>
      insertDueEndpoint(client, { id, tenant: 'demo', due, at: before(1) });
    await endpoint('nwh_b', 2);
    await endpoint('nwh_d', 3);
    await client.query(`
      INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
      SELECT 'nwh_c' || n, 'tenant-' || n % 100, 'https://shop.example/', '{*}', 'enabled', '', now(), now() FROM generate_series(1, 3000) AS n`);
    await client.query(statement);
    // when
    await waitingDeliveries(explaining, NOW, NOW);
    // then
    expect(explaining.looked('notification_webhooks')).toEqual({
      rows: 2,
      by: ['notification_webhooks_pkey'],
    });
    expect(explaining.looked('webhook_deliveries').rows).toBeLessThan(20);
    await client.query('DEALLOCATE ALL; TRUNCATE notification_webhooks, webhook_deliveries, events CASCADE');
  });
});
