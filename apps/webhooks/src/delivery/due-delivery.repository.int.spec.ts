import { migrate, type Queryable, type Statement } from '@fundrail/service-kit/db';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { leaseDueDeliveries } from './due-delivery.repository.ts';

const WAITING = 3_000;
const PLACES = 8;

/** A step of a plan, as far as it matters here. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a statement and answers how many rows of the table it looked at, by its plan. */
class Explaining implements Queryable {
  looked = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly table: string,
  ) {}

  async query<Row>({ text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [...values],
    );
    for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) this.looked += this.#rowsIn(Plan);
    return [];
  }

  #rowsIn(node: PlanNode): number {
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    const own = node['Relation Name'] === this.table ? rows : 0;
    return (node.Plans ?? []).reduce((sum, plan) => sum + this.#rowsIn(plan), own);
  }
}

/** One endpoint with a queue that PostgreSQL takes for empty: it was looked at before the deliveries came. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
    VALUES ('nwh_1', 'demo', 'https://shop.example/', '{*}', 'enabled', '', now(), now());
    ANALYZE notification_webhooks, events, webhook_deliveries;
    INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
    SELECT 'evt_' || n, 'demo', 'payment.updated', n % 100, 'payment:' || n % 100, n / 100 + 1, '{}', now(), now()
      FROM generate_series(0, ${WAITING - 1}) AS n;
    INSERT INTO webhook_deliveries
      (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
    SELECT 'whd_' || id, tenant, 'nwh_1', id, type, object_id, subject, sequence, 'pending', now() - interval '1 hour' + sequence * interval '1 s', now()
      FROM events`);
}

describe('a lease among 3000 waiting deliveries', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(webhooksService, database.url);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await fill(client);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('does not look at all of them again for each', async () => {
    // given
    const explaining = new Explaining(client, 'webhook_deliveries');
    const now = new Date();
    const until = new Date(now.getTime() + 20_000);
    // when
    const terms = { now, wallNow: now, token: 'token', until, perEndpoint: PLACES, most: 64 };
    await leaseDueDeliveries(explaining, terms);
    // then: by the wrong index it would be 150 looks at each
    expect(explaining.looked).toBeGreaterThanOrEqual(PLACES);
    expect(explaining.looked).toBeLessThan(WAITING * 3);
  });
});
