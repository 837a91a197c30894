import { newId } from '@fundrail/contracts';
import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { newEventRow } from '../event/event.ts';
import { insertAndDeliverEvents } from '../event/event.repository.ts';
import { webhooksService } from '../index.ts';
import { queryableOf } from '../testing/queryable-of.ts';
import { insertSuccesses } from './attempt.repository.ts';
import { letsNextGo, retriedDelivery } from './delivery.ts';
import {
  findDelivery,
  letNextDeliveryGo,
  lockDeliveryOfOrder,
  updateDelivery,
} from './delivery.repository.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const LATER = new Date('2026-11-21T10:00:01Z');
const ENDPOINT = { tenant: 'demo', webhook: 'nwh_1' };

describe('a delivery behind another of its object', () => {
  let database: TestDatabase;
  let clients: [pg.Client, pg.Client];
  let watcher: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    const client = () => new pg.Client({ connectionString: database.url });
    clients = [client(), client()];
    watcher = client();
    await Promise.all([watcher, ...clients].map((one) => one.connect()));
    await clients[0].query(`
      INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
      VALUES ('nwh_1', 'demo', 'https://shop.example/', '{*}', 'enabled', '', now(), now())`);
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.query('ROLLBACK')));
    await clients[0].query('TRUNCATE webhook_deliveries, events CASCADE');
  });
  afterAll(async () => {
    await Promise.all([watcher, ...clients].map((one) => one.end()));
    await database.drop();
  });

  const event = (client: pg.Client, sequence: number, object = 'A') => {
    const data = { id: newId('event'), type: 'payment.updated', data_text: '{}', traceparent: null };
    const given = { ...data, tenant: 'demo', aggregate_id: object, sequence, occurred_at: NOW.toISOString() };
    return insertAndDeliverEvents(queryableOf(client), [newEventRow(given, NOW)], NOW);
  };
  const rows = async () => {
    const text = 'SELECT * FROM webhook_deliveries ORDER BY object_id, sequence';
    return (
      await clients[0].query<{ id: string; sequence: number; status: string; due_at: Date | null }>(text)
    ).rows;
  };
  const idOf = async (sequence: number) => (await rows()).find((row) => row.sequence === sequence)?.id ?? '';
  const succeedAll = (client: pg.Client, deliveries: readonly string[]) => {
    const answer = {
      url: null,
      webhook_timestamp: null,
      status: 204,
      duration_ms: 1,
      error: null,
      response_body: '',
    };
    const successes = deliveries.map((delivery) => ({ ...ENDPOINT, attempt: { ...answer, delivery } }));
    return insertSuccesses(queryableOf(client), successes, { at: LATER, stored_at: LATER });
  };
  const succeed = async (client: pg.Client, delivery: string) => (await succeedAll(client, [delivery]))[0];
  /** Does the same as `RetryDelivery`, in a transaction that the caller has started. */
  const retry = async (client: pg.Client, id: string) => {
    const tx = queryableOf(client);
    const known = await findDelivery(tx, 'demo', id);
    const row = known && (await lockDeliveryOfOrder(tx, known));
    if (!row) throw new Error('the delivery is gone');
    const retried = retriedDelivery(row, NOW);
    await updateDelivery(tx, retried);
    if (letsNextGo(row, retried)) await letNextDeliveryGo(tx, row, NOW);
  };
  /** The due times; `null` for held and ended deliveries. */
  const due = async () => (await rows()).map((row) => row.due_at);
  const blocked = () =>
    waitFor(
      async () =>
        (
          await watcher.query(
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
          )
        ).rowCount === 1,
    );

  it('is held, and due when that one ends, one at a time and in order', async () => {
    const [client] = clients;
    for (const sequence of [1, 2, 3]) await event(client, sequence);
    await event(client, 1, 'B');
    expect(await due()).toEqual([NOW, null, null, NOW]);
    expect(await succeed(client, await idOf(1))).toBe(true);
    expect(await due()).toEqual([null, LATER, null, NOW]);
    await succeed(client, await idOf(2));
    expect(await due()).toEqual([null, null, LATER, NOW]);
    await succeed(client, await idOf(3));
    await event(client, 4);
    expect(await due()).toEqual([null, null, null, NOW, NOW]);
  });

  it('is held when it is stored together with events of other objects, types and tenants', async () => {
    const [client] = clients;
    await client.query(`
      INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at) VALUES
        ('nwh_2', 'demo', 'https://shop.example/', '{mandate.*}', 'enabled', '', now(), now()),
        ('nwh_3', 'other', 'https://other.example/', '{payment.updated}', 'enabled', '', now(), now()),
        ('nwh_4', 'other', 'https://other.example/', '{*}', 'enabled', '', now(), now())`);
    await client.query(
      "UPDATE notification_webhooks SET verification = 'verification_failed' WHERE id = 'nwh_4'",
    );
    await event(client, 1);
    const about = { data_text: '{"quoted": "\\\"{,}"}', occurred_at: NOW.toISOString() };
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const given = (tenant: string, type: string, aggregate_id: string, sequence: number) =>
      newEventRow(
        {
          ...about,
          id: newId('event'),
          tenant,
          type,
          aggregate_id,
          sequence,
          traceparent: sequence > 1 ? traceparent : null,
        },
        NOW,
      );
    const stored = [
      given('demo', 'payment.updated', 'A', 2),
      given('demo', 'payment.updated', 'B', 1),
      given('demo', 'mandate.approved', 'A', 1),
      given('other', 'payment.updated', 'A', 7),
      given('other', 'payment.failed', 'B', 1),
      given('without_endpoints', 'payment.failed', 'A', 1),
    ];
    expect(await insertAndDeliverEvents(queryableOf(client), stored, NOW)).toBe(4);
    const { rows: made } = await client.query<{ key: string }>(`
      SELECT concat_ws(' ', webhook, subject, sequence, CASE WHEN due_at IS NULL THEN 'held' END, followers) AS key
        FROM webhook_deliveries ORDER BY key`);
    expect(made.map(({ key }) => key)).toEqual([
      'nwh_1 mandate:A 1 0',
      'nwh_1 payment:A 1 1',
      'nwh_1 payment:A 2 held 0',
      'nwh_1 payment:B 1 0',
      'nwh_2 mandate:A 1 0',
      'nwh_3 payment:A 7 0',
    ]);
    const { rows: events } = await client.query('SELECT * FROM events WHERE id = ANY ($1) ORDER BY id', [
      stored.map(({ id }) => id),
    ]);
    expect(events).toEqual(stored);
    await client.query("DELETE FROM webhook_deliveries WHERE webhook <> 'nwh_1'");
    await client.query("DELETE FROM notification_webhooks WHERE id <> 'nwh_1'");
  });

  it('is due when the one before it ends in a group, and a row locked by another transaction is left out', async () => {
    const [client, other] = clients;
    for (const sequence of [1, 2]) await event(client, sequence);
    for (const object of ['B', 'C']) await event(client, 1, object);
    const [first = '', , ofB = '', ofC = ''] = (await rows()).map(({ id }) => id);
    await client.query('BEGIN');
    await client.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [ofB]);
    expect(await succeedAll(other, [ofC, ofB, first])).toEqual([true, false, true]);
    expect(await due()).toEqual([null, LATER, NOW, null]);
  });

  it('is not lost when another transaction locks it while the one before it ends', async () => {
    const [client, other] = clients;
    for (const sequence of [1, 2]) await event(client, sequence);
    const [first, second] = [await idOf(1), await idOf(2)];
    await client.query('BEGIN');
    await client.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [second]);
    expect(await succeed(other, first)).toBe(false);
    expect(await due()).toEqual([NOW, null]);
  });

  it('is ordered by its sequence, although it arrived late', async () => {
    const [client] = clients;
    for (const sequence of [1, 5, 3]) await event(client, sequence);
    expect(await due()).toEqual([NOW, null, null]);
    await succeed(client, await idOf(1));
    expect(await due()).toEqual([null, LATER, null]);
    await succeed(client, await idOf(3));
    expect(await due()).toEqual([null, null, LATER]);
  });

  it('is not lost when it arrives while the one before it ends', async () => {
    // given: the first ends after it has been seen to be pending
    const [client, other] = clients;
    await event(client, 1);
    const first = await idOf(1);
    await client.query('BEGIN');
    await event(client, 2);
    // then: the fast path is not taken, and does not wait
    expect(await succeed(other, first)).toBe(false);
    await client.query('COMMIT');
    expect(await due()).toEqual([NOW, null]);
    // when: the slow path, which starts again
    expect(await succeed(other, first)).toBe(true);
    expect(await due()).toEqual([null, LATER]);
  });

  it('is due immediately when the one before it ends while it arrives', async () => {
    const [client, other] = clients;
    await event(client, 1);
    const first = await idOf(1);
    await other.query('BEGIN');
    expect(await succeed(other, first)).toBe(true);
    const came = event(client, 2);
    await blocked();
    await other.query('COMMIT');
    await came;
    expect(await due()).toEqual([null, NOW]);
  });

  it('is not lost when the one before it, also held, is retried manually while the first ends', async () => {
    const [client, other] = clients;
    for (const sequence of [1, 2, 3]) await event(client, sequence);
    const [first, second] = [await idOf(1), await idOf(2)];
    await client.query('BEGIN');
    await retry(client, second);
    expect(await succeed(other, first)).toBe(false);
    await client.query('COMMIT');
    expect(await succeed(other, first)).toBe(true);
    expect(await due()).toEqual([null, NOW, LATER]);
  });

  it('is not lost when the first ends while the one before it is retried manually', async () => {
    const [client, other] = clients;
    for (const sequence of [1, 2, 3]) await event(client, sequence);
    const [first, second] = [await idOf(1), await idOf(2)];
    await other.query('BEGIN');
    expect(await succeed(other, first)).toBe(true);
    await client.query('BEGIN');
    const retried = retry(client, second);
    await blocked();
    await other.query('COMMIT');
    await retried;
    await client.query('COMMIT');
    expect(await due()).toEqual([null, NOW, NOW]);
  });

  it('waits for the first when the one before it, also held, is retried manually while it arrives', async () => {
    const [client, other] = clients;
    for (const sequence of [1, 2]) await event(client, sequence);
    await client.query('BEGIN');
    await retry(client, await idOf(2));
    const came = event(other, 3);
    await blocked();
    await client.query('COMMIT');
    await came;
    expect(await due()).toEqual([NOW, NOW, null]);
    expect(await succeed(client, await idOf(1))).toBe(true);
    expect(await due()).toEqual([null, NOW, LATER]);
  });

  it('is released when the one before it is taken out of the order', async () => {
    const [client] = clients;
    for (const sequence of [1, 2, 3]) await event(client, sequence);
    await client.query('UPDATE webhook_deliveries SET in_order = false WHERE sequence = 1');
    await letNextDeliveryGo(queryableOf(client), { webhook: 'nwh_1', subject: 'payment:A' }, LATER);
    expect(await due()).toEqual([NOW, LATER, null]);
  });
});
