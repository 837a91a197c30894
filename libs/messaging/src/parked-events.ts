import { eventEnvelope, stringifyJson, type EventEnvelope } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { errorText } from './error-text.ts';
import { topicOf, type UnreadableMessage } from './event-bus.port.ts';

/** `failed`: all tries failed. `behind`: waits for an earlier event of its aggregate. `replay`: will be run again. */
type ParkedStatus = 'failed' | 'behind' | 'replay';

/** A parked event, as `npm run events -- parked` lists it. Without its data, which may be personal. */
export interface ParkedEvent {
  readonly event_id: string;
  readonly consumer_group: string;
  /** Empty, like the tenant, when the message could not be read. */
  readonly type: string;
  readonly tenant: string;
  readonly aggregate_id: string;
  readonly sequence: number;
  readonly status: ParkedStatus;
  readonly error: string | null;
  readonly tries: number;
  readonly parked_at: Date;
}

const LONGEST_ERROR = 2_000;

const PARK = sql(
  'parked_events.park',
  `INSERT INTO parked_events (consumer_group, event_id, topic, aggregate_id, sequence, envelope, status, error, tries)
   SELECT $1, $2, $3, $4, $5::int, $6, $7, $8, $9::int
   WHERE NOT EXISTS (SELECT FROM inbox WHERE consumer_group = $1 AND event_id = $2)
   ON CONFLICT (consumer_group, event_id) DO NOTHING`,
);

/**
 * Parks an event whose tries have failed. From then on the later events of its aggregate are parked behind it. An event that
 * has had its effect meanwhile is not parked: a process that lost its partition may be the last one to try it.
 */
export function park(
  tx: Tx,
  group: string,
  event: EventEnvelope,
  { error, tries }: { readonly error: unknown; readonly tries: number },
): Promise<unknown> {
  return tx.query(PARK, [
    ...parkedColumns(group, event),
    'failed',
    errorText(error).slice(0, LONGEST_ERROR),
    tries,
  ]);
}

/** Parks an event because an earlier one of its aggregate is parked: a group never sees an aggregate's events out of order. */
export function parkBehind(tx: Tx, group: string, event: EventEnvelope): Promise<unknown> {
  return tx.query(PARK, [...parkedColumns(group, event), 'behind', null, 0]);
}

/** Parks a message that is not an event, with its readable fields. It counts as an event of the aggregate in its key. */
export function parkUnreadable(tx: Tx, group: string, message: UnreadableMessage): Promise<unknown> {
  const { id, topic, aggregate_id, sequence, fields, reason } = message;
  return tx.query(PARK, [
    group,
    id,
    topic,
    aggregate_id,
    sequence,
    stringifyJson(fields),
    'failed',
    reason,
    1,
  ]);
}

function parkedColumns(group: string, event: EventEnvelope): unknown[] {
  return [group, event.id, topicOf(event.type), event.aggregate_id, event.sequence, stringifyJson(event)];
}

const LIST = sql(
  'parked_events.list',
  `SELECT event_id, consumer_group, coalesce(envelope::json ->> 'type', '') AS type,
     coalesce(envelope::json ->> 'tenant', '') AS tenant, aggregate_id, sequence, status, error, tries, parked_at
   FROM parked_events WHERE replayed_at IS NULL
   ORDER BY consumer_group, topic, aggregate_id, sequence LIMIT $1`,
);

/** The events that wait in a service's database, in the order in which they would run. */
export function listParked(db: Queryable, limit = 1000): Promise<ParkedEvent[]> {
  return db.query<ParkedEvent>(LIST, [limit]);
}

const REPLAY_ALL = sql(
  'parked_events.replay_all',
  `UPDATE parked_events SET status = 'replay' WHERE replayed_at IS NULL AND status = 'failed' RETURNING event_id`,
);

// Failed events before the requested one must run first.
const REPLAY = sql(
  'parked_events.replay',
  `UPDATE parked_events p SET status = 'replay' FROM parked_events asked
   WHERE asked.event_id = ANY($1) AND asked.replayed_at IS NULL
     AND p.consumer_group = asked.consumer_group AND p.topic = asked.topic AND p.aggregate_id = asked.aggregate_id
     AND p.sequence <= asked.sequence AND p.replayed_at IS NULL AND p.status = 'failed'
   RETURNING p.event_id`,
);

/**
 * Makes the service, now or at its next start, run parked events again: all, or those with these ids and the failed ones before
 * them. Events that wait behind them follow automatically. Returns how many failed ones will run.
 */
export async function replayParked(db: Queryable, eventIds: readonly string[] | 'all'): Promise<number> {
  const rows = eventIds === 'all' ? await db.query(REPLAY_ALL) : await db.query(REPLAY, [eventIds]);
  return rows.length;
}

// With an inbox row it counts as handled when the bus delivers it again. Its parked row stays, with its error.
const DISCARD = sql(
  'parked_events.discard',
  `WITH discarded AS (
     UPDATE parked_events SET replayed_at = clock_timestamp()
     WHERE event_id = ANY($1) AND replayed_at IS NULL AND status = 'failed'
     RETURNING consumer_group, event_id
   )
   INSERT INTO inbox (consumer_group, event_id) SELECT consumer_group, event_id FROM discarded
   ON CONFLICT (consumer_group, event_id) DO UPDATE SET received_at = clock_timestamp() RETURNING event_id`,
);

/**
 * Discards failed events: they will have no effect, and the events behind them run. Returns how many were discarded. An event
 * that only waits is not changed.
 */
export async function discardParked(db: Queryable, eventIds: readonly string[]): Promise<number> {
  return (await db.query(DISCARD, [eventIds])).length;
}

/** A parked event that may run: no earlier event of its aggregate is parked, and it has not failed since its replay was requested. */
export interface ReplayableEvent {
  readonly id: string;
  /** Null: the parked message is still not an event. */
  readonly envelope: EventEnvelope | null;
}

const HEADS = `FROM parked_events p
   WHERE consumer_group = $1 AND replayed_at IS NULL AND status <> 'failed' AND NOT EXISTS (
     SELECT FROM parked_events earlier
     WHERE earlier.consumer_group = p.consumer_group AND earlier.topic = p.topic AND earlier.aggregate_id = p.aggregate_id
       AND earlier.sequence < p.sequence AND earlier.replayed_at IS NULL)`;

const NEXT = sql('parked_events.next', `SELECT id::text, envelope ${HEADS} ORDER BY id LIMIT 1`);

/** The next event to replay in this group, or null. */
export async function nextReplayable(db: Queryable, group: string): Promise<ReplayableEvent | null> {
  const [row] = await db.query<{ id: string; envelope: string }>(NEXT, [group]);
  return row
    ? { id: row.id, envelope: eventEnvelope.safeParse(JSON.parse(row.envelope)).data ?? null }
    : null;
}

const LOCK = sql('parked_events.lock', `SELECT 1 ${HEADS} AND id = $2::bigint FOR UPDATE SKIP LOCKED`);

/** Locks it for a replay. False: another replica runs it or has run it. */
export async function lockReplayable(tx: Tx, group: string, id: string): Promise<boolean> {
  return (await tx.query(LOCK, [group, id])).length > 0;
}

const DONE = sql(
  'parked_events.done',
  `UPDATE parked_events SET replayed_at = clock_timestamp(), error = NULL WHERE id = $1`,
);

export async function markReplayed(tx: Tx, id: string): Promise<void> {
  await tx.query(DONE, [id]);
}

const FAILED = sql(
  'parked_events.failed',
  `UPDATE parked_events SET status = 'failed', error = $2, tries = tries + $3 WHERE id = $1 AND replayed_at IS NULL`,
);

/** The replay failed too: the event and what waits behind it stay parked. */
export async function markFailed(tx: Tx, id: string, error: unknown, tries: number): Promise<void> {
  await tx.query(FAILED, [id, errorText(error).slice(0, LONGEST_ERROR), tries]);
}
