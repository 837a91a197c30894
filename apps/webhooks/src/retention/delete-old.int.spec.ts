import { firstIdAt } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database, PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, FakeClock, type TestDatabase } from '@fundrail/testing';
import { jest } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { insertAttempt } from '../delivery/attempt.repository.ts';
import { removeOldDeliveries } from '../delivery/delivery.repository.ts';
import { removeOldEvents } from '../event/event.repository.ts';
import { webhooksService } from '../index.ts';
import { queryableOf } from '../testing/queryable-of.ts';
import { MOST_WITHOUT_DAY } from './attempt-day.repository.ts';
import { DeleteOld } from './delete-old.ts';

const DAY_MS = 24 * 60 * 60_000;
// The migration's partition lasts until the end of the real day.
const TODAY = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
const after = (days: number) => new Date(TODAY.getTime() + days * DAY_MS);
const answer = {
  url: null,
  webhook_timestamp: null,
  status: 204,
  duration_ms: 1,
  error: null,
  response_body: '',
};

describe('deleting old data', () => {
  let server: TestDatabase;
  let pool: pg.Pool;
  let client: pg.Client;
  let clock: FakeClock;
  let database: Database;
  let started: () => DeleteOld;
  let deletion: DeleteOld;
  let lines: string[];
  beforeEach(async () => {
    server = await createTestDatabase(webhooksService);
    pool = new pg.Pool({ connectionString: server.url, max: 4, pipeline: true, options: PLAN_BY_INDEX });
    // A connection that is being closed may report that its database is gone.
    pool.on('error', () => undefined);
    client = new pg.Client({ connectionString: server.url, options: PLAN_BY_INDEX });
    await client.connect();
    clock = new FakeClock(TODAY);
    const source = new DataSource({ type: 'postgres', url: server.url });
    lines = [];
    const log = Log.to('webhooks', 'warn', { write: (line) => void lines.push(line) });
    database = new Database(source, pool, clock, { sandbox: false });
    started = () => new DeleteOld(database, clock, log);
    deletion = started();
  });
  afterEach(async () => {
    await client.end();
    await pool.end();
    await server.drop();
  });

  /** Runs until nothing is left to do, and returns the number of steps. */
  async function deleteAll(): Promise<number> {
    let [event, steps] = ['', 1];
    for (; ; steps += 1) {
      const progress = await deletion.execute(event);
      if (progress.isDone) return steps;
      event = progress.event;
    }
  }

  const attempt = (delivery: string, stored_at: Date) =>
    insertAttempt(queryableOf(client), 'demo', { ...answer, delivery, at: stored_at, stored_at });
  const texts = async (text: string) =>
    (await client.query<{ text: string }>(`SELECT ${text} ORDER BY 1`)).rows.map((row) => row.text);
  const kept = () =>
    texts(
      "delivery || ' ' || replace(tableoid::regclass::text, 'delivery_attempts_', '') AS text FROM delivery_attempts",
    );
  const partitions = () =>
    texts(
      "inhrelid::regclass::text AS text FROM pg_inherits WHERE inhparent = 'delivery_attempts'::regclass",
    );
  const name = (at: Date) => at.toISOString().slice(0, 10).replaceAll('-', '');

  /** Stores numbered events with a delivery each, at a given time. */
  async function store(from: number, to: number, at: Date, status = 'delivered'): Promise<void> {
    await client.query(
      `INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
       VALUES ('nwh_1', 'demo', 'https://shop.example/', '{*}', 'enabled', '', now(), now()) ON CONFLICT DO NOTHING`,
    );
    await client.query(
      `WITH e AS (
         INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
         SELECT $1 || to_char(n, 'FM00000'), 'demo', 'payment.updated', n, 'payment:' || n, 1, '{}', $3::timestamptz, $3
           FROM generate_series($4::int, $5::int) AS n RETURNING *)
       INSERT INTO webhook_deliveries
         (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
       SELECT $2 || object_id, tenant, 'nwh_1', id, type, object_id, subject, 1, $6, CASE WHEN $6 = 'pending' THEN $3 END, $3 FROM e`,
      [firstIdAt('event', at), firstIdAt('webhookDelivery', at), at, from, to, status],
    );
  }
  const left = () =>
    texts(
      "'event ' || object_id AS text FROM events UNION ALL SELECT 'delivery ' || object_id FROM webhook_deliveries",
    );

  it('creates the coming days of attempts, with any number of replicas', async () => {
    // when
    await Promise.all([deleteAll(), deleteAll(), deleteAll()]);
    await deleteAll();
    // then
    const days = [1, 2, 3, 4, 5, 6, 7].map((ahead) => `delivery_attempts_${name(after(ahead))}`);
    expect(await partitions()).toEqual([...days, 'delivery_attempts_before', 'delivery_attempts_other']);
    await attempt('whd_1', after(0));
    await attempt('whd_2', after(1));
    await attempt('whd_3', after(99));
    expect(await kept()).toEqual(['whd_1 before', `whd_2 ${name(after(1))}`, 'whd_3 other']);
  });

  it('stores an attempt without a day, and moves it into the day once there is one', async () => {
    await attempt('whd_1', after(9));
    expect(await kept()).toEqual(['whd_1 other']);
    clock.set(after(9));
    await deleteAll();
    expect(await kept()).toEqual([`whd_1 ${name(after(9))}`]);
  });

  it('creates no day while very many attempts have none, and deletes those piece by piece when they are old', async () => {
    await client.query(
      `INSERT INTO delivery_attempts (tenant, delivery, at, stored_at, duration_ms)
       SELECT 'demo', n, $1::timestamptz, $1, 1 FROM generate_series(1, $2::int) AS n`,
      [after(9), MOST_WITHOUT_DAY + 1],
    );
    clock.set(after(9));
    await deleteAll();
    await deleteAll();
    expect(await partitions()).toEqual(['delivery_attempts_before', 'delivery_attempts_other']);
    // and: a warning is logged once an hour
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('delivery_attempts_other');
    clock.set(after(40));
    expect(await deleteAll()).toBeGreaterThan(MOST_WITHOUT_DAY / 2_000);
    expect(await kept()).toEqual([]);
    expect(await partitions()).toContain(`delivery_attempts_${name(after(40))}`);
  });

  it('drops a day of attempts when it is 30 days old, and not before', async () => {
    await deleteAll();
    await attempt('whd_1', after(3));
    await attempt('whd_2', after(4));
    await attempt('whd_3', after(0));
    clock.set(after(33));
    await deleteAll();
    expect((await kept()).map((text) => text.slice(0, 5))).toEqual(['whd_1', 'whd_2']);
    clock.set(after(34));
    await deleteAll();
    expect((await kept()).map((text) => text.slice(0, 5))).toEqual(['whd_2']);
    clock.set(after(35));
    await deleteAll();
    expect(await kept()).toEqual([]);
    // and: an attempt that never had a day
    await attempt('whd_4', after(-1));
    await deleteAll();
    expect(await kept()).toEqual([]);
  });

  it('keeps the facts of what it removes, without the data of events and without the bodies of answers', async () => {
    // given: a day with more attempts than one part of the copy, an attempt without a day, and an old event
    await deleteAll();
    const body = 'what the endpoint answered';
    await client.query(
      `INSERT INTO delivery_attempts (tenant, delivery, at, stored_at, status, duration_ms, response_body)
       SELECT 'demo', 'whd_' || n, $1::timestamptz, $1, 204, 7, $2 FROM generate_series(1, 12000) AS n`,
      [after(1), body],
    );
    await store(1, 1, after(1));
    clock.set(after(33));
    await insertAttempt(queryableOf(client), 'demo', {
      ...{ ...answer, response_body: body, delivery: 'whd_late', at: after(0), stored_at: after(-40) },
    });
    // when: a process dies after a part, and the next one begins again
    const copied = () => texts('(count(*) > 1)::text AS text FROM past_attempts');
    while (!(await copied()).includes('true')) await deletion.execute('');
    expect(await kept()).not.toEqual([]);
    deletion = started();
    await deleteAll();
    // then
    expect([await kept(), await left()]).toEqual([[], []]);
    const columns = async (table: string) =>
      texts(`attname AS text FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0`);
    expect([await columns('past_attempts'), await columns('past_events')].flat()).not.toContain('body');
    expect(await columns('past_attempts')).not.toContain('response_body');
    const { rows } = await client.query(
      `SELECT count(*)::int AS many, count(DISTINCT delivery)::int AS deliveries, min(status) AS status, min(duration_ms) AS least
         FROM past_attempts WHERE stored_at = $1`,
      [after(1)],
    );
    expect(rows).toEqual([{ many: 12_000, deliveries: 12_000, status: 204, least: 7 }]);
    expect(await texts("delivery AS text FROM past_attempts WHERE delivery = 'whd_late'")).toEqual([
      'whd_late',
    ]);
    expect(await texts("type || ' ' || subject || ' ' || sequence AS text FROM past_events")).toEqual([
      'payment.updated payment:1 1',
    ]);
    const facts = "status || ' ' || webhook || ' ' || (event = (SELECT id FROM past_events)) AS text";
    expect(await texts(`${facts} FROM past_deliveries`)).toEqual(['delivered nwh_1 true']);
  });

  it('keeps of the URL of an endpoint its scheme and host, since the rest may name a person', async () => {
    // given: attempts of a day, and one without a day
    await deleteAll();
    const urls = [
      ...['https://shop.example/for/asha@example.com?for=asha', 'https://shop.example?for=//asha/'],
      ...['https://shop.example:8443#asha/?x', null],
    ];
    const store = (delivery: string, url: string | null, stored_at: Date) =>
      insertAttempt(queryableOf(client), 'demo', { ...answer, url, delivery, at: stored_at, stored_at });
    for (const [index, url] of urls.entries()) await store(`whd_day${index}`, url, after(1));
    clock.set(after(33));
    for (const [index, url] of urls.entries()) await store(`whd_rest${index}`, url, after(-40));
    // when
    await deleteAll();
    // then
    expect(await kept()).toEqual([]);
    expect(await texts("delivery || ' ' || coalesce(url, 'none') AS text FROM past_attempts")).toEqual(
      ['day', 'rest'].flatMap((way) => [
        `whd_${way}0 https://shop.example`,
        `whd_${way}1 https://shop.example`,
        `whd_${way}2 https://shop.example:8443`,
        `whd_${way}3 none`,
      ]),
    );
  });

  it('removes what a restored backup has brought back, whose facts are there already', async () => {
    await deleteAll();
    const kinds = ['events', 'webhook_deliveries'];
    await store(1, 1, after(-40));
    const ids = await Promise.all(kinds.map((table) => texts(`id AS text FROM ${table}`)));
    await deleteAll();
    expect(await left()).toEqual([]);
    await store(1, 1, after(-40));
    expect(await Promise.all(kinds.map((table) => texts(`id AS text FROM ${table}`)))).toEqual(ids);
    await deleteAll();
    expect(await left()).toEqual([]);
  });

  it('copies a part again whose transaction did not commit, before the day is dropped', async () => {
    await deleteAll();
    await client.query(
      `INSERT INTO delivery_attempts (tenant, delivery, at, stored_at, duration_ms)
       SELECT 'demo', 'whd_' || n, $1::timestamptz, $1, 7 FROM generate_series(1, 12000) AS n`,
      [after(1)],
    );
    clock.set(after(33));
    // The partition of the migration goes first.
    while ((await partitions()).includes('delivery_attempts_before')) await deletion.execute('');
    const transaction = database.transaction.bind(database);
    jest.spyOn(database, 'transaction').mockImplementationOnce((work) =>
      transaction(async (tx) => {
        await work(tx);
        throw new Error('the connection is gone');
      }),
    );
    await deletion.execute('');
    expect(lines.at(-1)).toContain('the connection is gone');
    clock.advance(60_000);
    await deleteAll();
    expect(await kept()).toEqual([]);
    expect(await texts('count(*)::text AS text FROM past_attempts')).toEqual(['12000']);
  });

  it('drops no day while a transaction reads attempts, still deletes old data, and drops the day the next time', async () => {
    // given
    await deleteAll();
    await attempt('whd_1', after(1));
    await store(1, 1, after(-1));
    clock.set(after(31));
    await client.query('BEGIN; SELECT FROM delivery_attempts');
    // when
    await deleteAll();
    await deleteAll();
    // then: it was tried once, because each try blocks writers
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('lock timeout');
    expect(await left()).toEqual([]);
    await client.query('COMMIT');
    expect(await partitions()).toContain('delivery_attempts_before');
    clock.advance(60_000);
    await deleteAll();
    expect(await partitions()).not.toContain('delivery_attempts_before');
    expect(await kept()).toHaveLength(1);
  });

  it('deletes ended deliveries and their events, and no pending ones', async () => {
    await store(1, 1, after(-32));
    await store(2, 2, after(-32), 'pending');
    await store(3, 3, after(-30.5));
    await store(4, 4, after(-29));
    await client.query(
      `INSERT INTO webhook_replays (id, tenant, webhook, status, from_at, to_at, events, types, matched, last_event, all_made,
                                    stored_before, created_at, completed_at)
       SELECT $1 || n, 'demo', 'nwh_1', 'completed', now(), now(), '{}', '{}', 0, '', true, now(), now(), now()
         FROM generate_series(1, 2) AS n`,
      [firstIdAt('webhookReplay', after(-31))],
    );
    await client.query(
      "UPDATE webhook_deliveries SET replay = (SELECT max(id) FROM webhook_replays) WHERE object_id = '2'",
    );
    await deleteAll();
    expect(await left()).toEqual(['delivery 2', 'delivery 4', 'event 2', 'event 3', 'event 4']);
    expect(await texts('right(id, 1) AS text FROM webhook_replays')).toEqual(['2']);
    await client.query(
      "UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE object_id = '2'",
    );
    clock.set(after(1));
    await deleteAll();
    expect(await left()).toEqual(['delivery 4', 'event 4']);
    expect(await texts('id AS text FROM webhook_replays')).toEqual([]);
  });

  it('deletes events even when many deliveries have just become old', async () => {
    await deleteAll();
    await store(1, 1, after(-32));
    await deletion.execute('');
    expect(await left()).toEqual([]);
  });

  it('keeps the events that a running replay still has to send, until it has ended', async () => {
    await store(1, 1, after(-32));
    await store(2, 2, after(-34));
    await client.query(
      `INSERT INTO webhook_replays (id, tenant, webhook, status, from_at, to_at, events, types, matched, last_event, all_made,
                                    stored_before, created_at)
       VALUES ($1, 'demo', 'nwh_1', 'running', now(), now(), '{}', '{}', 0, '', false, $2, $2)`,
      [firstIdAt('webhookReplay', after(-3)), after(-3)],
    );
    await deleteAll();
    expect(await left()).toEqual(['event 1']);
    await client.query("UPDATE webhook_replays SET status = 'completed', completed_at = now()");
    await deleteAll();
    expect(await left()).toEqual([]);
  });

  it('works in steps that read no more than they delete', async () => {
    // given: more than two steps of old events, which still have deliveries, and newer ones
    await deleteAll();
    const explaining = new Explaining(client);
    const steps = async () => {
      await removeOldDeliveries(explaining, after(-30), 10);
      const deliveries = explaining.looked('webhook_deliveries').rows;
      await removeOldEvents(explaining, {
        before: after(-31),
        after: firstIdAt('event', after(-33)),
        most: 10,
      });
      return {
        deliveries,
        events: explaining.looked('events').rows,
        by: explaining.looked('webhook_deliveries').by,
      };
    };
    await steps();
    await store(1, 4_500, after(-32), 'pending');
    await store(4_501, 6_000, after(-1));
    await store(6_001, 6_020, after(-32));
    // when
    const looked = await steps();
    // then: by the plan of an empty table
    expect(looked.deliveries).toBeLessThan(5_000);
    expect(looked.events).toBeLessThan(100);
    expect(looked.by).toEqual(['webhook_deliveries_event']);
    expect(await deleteAll()).toBe(3);
    expect((await left()).length).toBe(2 * 6_000);
  });
});
