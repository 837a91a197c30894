import { newId } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { queryableOf } from '../testing/queryable-of.ts';
import { countMatched } from './webhook-replay.repository.ts';
import { newReplay } from './webhook-replay.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const EVENTS = `
  INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
  SELECT 'evt_' || $1::text || to_char(n, 'FM0000'), 'demo', $1, n, n, 1, '{}', $2::timestamptz + n / 7 * interval '1 ms', $3
    FROM generate_series(1, $4::int) AS n`;

describe('the events that a replay matches', () => {
  let test: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    test = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: test.url, options: PLAN_BY_INDEX });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await test.drop();
  });

  const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
  const put = (type: string, occurred: Date, stored: Date, count: number) =>
    client.query(EVENTS, [type, occurred, stored, count]);

  it('are counted in pieces, each once, and none of another time, type or age (HOOK-26)', async () => {
    await put('payment.updated', at(-1), at(-1), 31);
    await put('payment.success', at(-2), at(-2), 10);
    await put('payment.failed', at(-30), at(-1), 5);
    await put('payment.approved', at(-1), at(-31 * 24), 5);
    await put('payment.initiated', at(-1), at(1), 5);
    await put('mandate.created', at(-1), at(-1), 5);
    const webhook = { id: newId('notificationWebhook'), tenant: 'demo', events: ['payment.*'] };
    const given = { id: newId('webhookReplay'), now: NOW, wallNow: NOW };
    const row = newReplay(webhook, { from: at(-24).toISOString(), to: NOW.toISOString() }, given);
    const looked: number[] = [];
    const counting: Queryable = {
      query: async <Row>(...asked: Parameters<Queryable['query']>) => {
        const rows = await queryableOf(client).query<Row & { readonly looked: number }>(...asked);
        looked.push(...rows.map((one) => one.looked));
        return rows;
      },
    };
    expect(await countMatched(counting, row, 10)).toBe(41);
    expect(Math.max(...looked)).toBe(10);
  });
});
