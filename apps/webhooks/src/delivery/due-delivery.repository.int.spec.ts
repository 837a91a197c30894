import { migrate, PLAN_BY_INDEX, type Queryable, type Statement } from '@fundrail/service-kit/db';
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

/** Runs one statement, prepared once as the service's connections do, and counts the rows of the table that it looked at. */
class Explaining implements Queryable {
  looked = 0;
  #isPrepared = false;

  constructor(
    private readonly client: pg.Client,
    private readonly table: string,
  ) {}

  async query<Row>({ text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.#isPrepared)
      await this.client.query(`SET plan_cache_mode = force_generic_plan; PREPARE explained AS ${text}`);
    this.#isPrepared = true;
    const parameters = values.map((value) => pg.escapeLiteral(shown(value))).join(', ');
    const { rows } = await this.client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained (${parameters})`,
    );
    this.looked = 0;
    for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) this.looked += this.#rowsIn(Plan);
    return [];
  }

  #rowsIn(node: PlanNode): number {
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    const own = node['Relation Name'] === this.table ? rows : 0;
    return (node.Plans ?? []).reduce((sum, plan) => sum + this.#rowsIn(plan), own);
  }
}

function shown(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

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
    explaining = new Explaining(client, 'webhook_deliveries');
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
    return explaining.looked;
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
