import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { countMatched, insertReplay, insertReplayDeliveries } from '../replay/webhook-replay.repository.ts';
import { listEvents, type EventQuery } from './event.repository.ts';

const LIMIT = 20;
const NOW = new Date('2026-11-22T10:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
// One a minute and tenant, about 500 objects: one in a thousand is a mandate's.
const FILL = `
  INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
  VALUES ('nwh_1', 'demo', 'https://shop.example/', '{*}', 'enabled', '', now(), now());
  INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
  SELECT 'evt_' || to_char(10000 - n, 'FM00000') || tenant, tenant,
         CASE WHEN n % 1000 = 999 THEN 'mandate.approved' WHEN n % 2 = 0 THEN 'payment.updated' ELSE 'payment.success' END,
         n % 500, 'payment:' || n % 500, n, '{}', $1::timestamptz - n * interval '1 minute', $1::timestamptz - n * interval '1 minute'
    FROM generate_series(1, 10000) AS n CROSS JOIN unnest('{demo,other}'::text[]) AS tenant`;
const PAYMENTS = ['payment.updated', 'payment.success', 'payment.failed'];

// What autovacuum may have done when a statement is planned. It vacuums before it collects statistics.
describe.each([
  ['planned while the tables were empty', null],
  ['vacuumed, without statistics', 'VACUUM events'],
  ['with statistics', 'ANALYZE events'],
])('the statements that read events, %s', (_, maintenance) => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  const all: EventQuery = {
    limit: LIMIT,
    starting_after: null,
    types: null,
    object_id: null,
    from: null,
    to: null,
  };
  /** Another statement looks up the cursor, so it must return a row here. */
  const asking = {
    query: async <Row>(statement: { name: string; text: string }, values: readonly unknown[] = []) => {
      if (statement.name !== 'events.occurred_at') return explaining.query<Row>(statement, values);
      return (await client.query(statement.text, [...values])).rows as Row[];
    },
  };
  const list = (over: Partial<EventQuery>) => listEvents(asking, 'demo', { ...all, ...over }, NOW);
  const replay = (types: string[], last_event: string) => ({
    id: 'whr_1',
    tenant: 'demo',
    webhook: 'nwh_1',
    status: 'running' as const,
    from_at: ago(6_000),
    to_at: ago(5_000),
    events: ['*'],
    types,
    last_event,
    all_made: false,
    stored_before: NOW,
    created_at: NOW,
    completed_at: null,
  });

  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    // Planned while the tables are empty.
    for (const over of [{}, { types: PAYMENTS }, { object_id: '7' }]) await list(over);
    await countMatched(explaining, replay(PAYMENTS, ''));
    await insertReplayDeliveries(explaining, { ...replay(PAYMENTS, ''), matched: 0 }, { most: 10, now: NOW });
    await client.query(FILL.replaceAll('$1', `'${NOW.toISOString()}'`));
    if (maintenance !== null) await client.query(maintenance);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each<[string, Partial<EventQuery>, number]>([
    ['the newest', {}, LIMIT],
    ['those in the middle', { starting_after: 'evt_05000demo' }, LIMIT],
    ['a rare type', { types: ['mandate.approved'] }, 10],
    ['a type without events', { types: ['mandate.cancelled'] }, 0],
    ['some types', { types: PAYMENTS }, 2 * LIMIT],
    ['some types in the middle', { types: PAYMENTS, starting_after: 'evt_05000demo' }, 2 * LIMIT],
    ['an object', { object_id: '7' }, LIMIT],
    ['an object and its types', { object_id: '7', types: PAYMENTS }, LIMIT],
    ['an hour long ago', { from: ago(9_060), to: ago(9_001) }, LIMIT],
    ['a type in it', { from: ago(9_060), to: ago(9_001), types: ['mandate.approved'] }, 0],
    ['an hour without any', { from: ago(90_060), to: ago(90_000) }, 0],
  ])('reads no more than it returns: %s', async (_case, over, shown) => {
    await list(over);
    const looked = explaining.looked('events');
    expect(looked.rows).toBe(shown);
    expect(looked.by).not.toContain(null);
  });

  it('reads what a replay counts, and one batch of it', async () => {
    const rare = replay(['mandate.approved'], '');
    await countMatched(explaining, rare);
    expect(explaining.looked('events').rows).toBe(1);
    await insertReplay(explaining, { ...rare, matched: 1 });
    const next = { ...replay(PAYMENTS, 'evt_04500demo'), matched: 0 };
    await insertReplayDeliveries(explaining, next, { most: 10, now: NOW });
    expect(explaining.looked('events').rows).toBeLessThan(100);
    expect(explaining.looked('events').by).not.toContain(null);
  });
});
