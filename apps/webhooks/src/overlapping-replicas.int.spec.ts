import { newId } from '@fundrail/contracts';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { insertSuccesses } from './delivery/attempt.repository.ts';
import {
  leaseDueDeliveries,
  leaseReplayedDeliveries,
  type LeasedDelivery,
  type LeaseTerms,
} from './delivery/due-delivery.repository.ts';
import { newEventRow } from './event/event.ts';
import { insertAndDeliverEvents } from './event/event.repository.ts';
import { webhooksService } from './index.ts';
import { insertDueEndpoint } from './testing/due-endpoint.ts';
import { HeldReplica } from './testing/held-replica.ts';
import { queryableOf } from './testing/queryable-of.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const LATER = new Date('2026-11-21T10:00:01Z');
const ENDPOINT = { tenant: 'demo', webhook: 'A1' };

describe('two replicas, one of which works while the other is between its read and its write', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let held: HeldReplica;
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    held = await HeldReplica.start(database.url);
  });
  afterEach(() =>
    client.query(
      'TRUNCATE delivery_attempts, webhook_deliveries, events, webhook_replays, notification_webhooks, endpoint_paces',
    ),
  );
  afterAll(async () => {
    await Promise.all([held.end(), client.end()]);
    await database.drop();
  });

  const endpoint = (due: number) =>
    insertDueEndpoint(client, { id: ENDPOINT.webhook, tenant: ENDPOINT.tenant, due, at: NOW });
  /** Inserts the row that each created endpoint has. */
  const paces = () =>
    client.query("INSERT INTO endpoint_paces (webhook, tokens, at) VALUES ('A1', 0, to_timestamp(0))");
  const terms = (over: Partial<LeaseTerms>): LeaseTerms => ({
    now: NOW,
    wallNow: NOW,
    token: 't',
    until: new Date(NOW.getTime() + 20_000),
    perEndpoint: 100,
    most: 64,
    rate: 1_000,
    ...over,
  });
  const lease = (over: Partial<LeaseTerms>, by = queryableOf(client)) => leaseDueDeliveries(by, terms(over));
  const ids = (leased: readonly LeasedDelivery[]) => leased.map(({ id }) => id).sort();

  it('do not both lease a delivery, even when the endpoint’s row was lost in a server crash', async () => {
    await endpoint(3);
    const late = await held.begin((by) => lease({}, by));
    const first = await lease({});
    expect(ids(first)).toEqual(['whd_evt_A11', 'whd_evt_A12', 'whd_evt_A13']);
    expect(ids(await late())).toEqual([]);
  });

  it('give an endpoint no more per second than its rate', async () => {
    await endpoint(30);
    await paces();
    const late = await held.begin((by) => lease({ rate: 10 }, by));
    const first = await lease({ rate: 10, most: 4 });
    const counts = [first, await late(), await lease({ rate: 10 }), await lease({ rate: 10 })].map(
      ({ length }) => length,
    );
    expect(counts).toEqual([4, 0, 6, 0]);
  });

  it('give an endpoint no more at a time than its slots, of which a replay takes the rest', async () => {
    // given: two of a replay, while no other delivery is due
    await endpoint(5);
    await paces();
    await client.query(`
      INSERT INTO webhook_replays (id, tenant, webhook, status, from_at, to_at, events, types, matched, last_event, all_made, stored_before, created_at)
      VALUES ('r1', 'demo', 'A1', 'running', now(), now(), '{*}', '{}', 2, '', true, now(), now());
      UPDATE webhook_deliveries SET replay = 'r1', in_order = false WHERE object_id IN ('1', '2');
      UPDATE webhook_deliveries SET due_at = '${LATER.toISOString()}' WHERE replay IS NULL`);
    const replayed = await held.begin((by) => leaseReplayedDeliveries(by, terms({ perEndpoint: 3 }), 2));
    // when: three others fall due and take the endpoint's slots
    const first = await lease({ perEndpoint: 3, now: LATER });
    expect(ids(first)).toEqual(['whd_evt_A13', 'whd_evt_A14', 'whd_evt_A15']);
    // then
    expect(ids(await replayed())).toEqual([]);
  });

  it('lose no event that is held behind another while that one ends', async () => {
    // given: the last event of an object arrived first, so that all others wait behind it
    await endpoint(0);
    const come = (sequence: number) => {
      const fields = { id: newId('event'), type: 'payment.updated', data_text: '{}', traceparent: null };
      const about = { tenant: 'demo', aggregate_id: 'A', sequence, occurred_at: NOW.toISOString() };
      const row = newEventRow({ ...fields, ...about }, NOW);
      return insertAndDeliverEvents(queryableOf(client), [row], NOW);
    };
    await come(5);
    await come(3);
    // when: its end has seen one waiting event, and then another arrives
    const ended = await held.begin((by) => end(5, by));
    await come(4);
    // then: the slow path handles it, and the next attempt reads again
    expect(await ended()).toEqual([false]);
    expect(await end(5)).toEqual([true]);
    expect(await dueTimes()).toEqual([LATER, null, null]);
    expect(await end(3)).toEqual([true]);
    expect(await dueTimes()).toEqual([null, LATER, null]);
  });

  /** The delivery of that sequence succeeds. */
  async function end(sequence: number, by = queryableOf(client)): Promise<boolean[]> {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM webhook_deliveries WHERE sequence = $1',
      [sequence],
    );
    const answer = { url: null, webhook_timestamp: null, status: 204, duration_ms: 1, error: null };
    const attempt = { ...answer, response_body: '', delivery: rows[0]?.id ?? '' };
    return insertSuccesses(by, [{ ...ENDPOINT, attempt }], { at: LATER, stored_at: LATER });
  }

  /** By sequence; null for held and ended deliveries. */
  async function dueTimes(): Promise<(Date | null)[]> {
    const text = 'SELECT due_at FROM webhook_deliveries ORDER BY sequence';
    return (await client.query<{ due_at: Date | null }>(text)).rows.map((row) => row.due_at);
  }
});
