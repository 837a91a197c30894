import { firstIdAt, patternsFor } from '@fundrail/contracts';
import { arrayParameters, columnArrays, insertRow, sql, type Queryable } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { Equal, MoreThan } from 'typeorm';
import { EVENTS, type EventRow } from './event.table.ts';

// One statement for all events of a transaction, each of another object, because it runs for every event of the product. A delivery's id
// has the format of newId(). If a delivery of the same object is pending, the new one is held, and the newest pending one counts it in
// `followers`. The update waits for an uncommitted end of that delivery, and a later end sees the count (`insertSuccess`). If that end was
// a manual retry, which leaves the order, the delivery before it counts it. Deliveries are looked up one by one and by arrays (decision
// 0010). The first parameters are the columns of the events, then come the patterns of their types and the time of the deliveries.
const newestBefore = (of: string, more = '') => `${of} CROSS JOIN LATERAL (
              SELECT p.id FROM webhook_deliveries p
               WHERE p.webhook = ${of}.webhook AND p.subject = ${of}.subject AND p.status = 'pending' AND p.in_order ${more}
               ORDER BY p.sequence DESC LIMIT 1) one`;
/** Whether a delivery `d` is pending. Written so that it is found by its id: the planner would read the index of pending ones. */
const IS_PENDING = "d.status <> 'delivered' AND d.status <> 'failed'";
const countFollower = (ids: string) => `UPDATE webhook_deliveries d SET followers = followers + 1
      WHERE d.id = ANY (ARRAY(${ids})) AND ${IS_PENDING} AND d.in_order
     RETURNING d.webhook, d.subject`;
const NOW = `$${EVENTS.inserted.length + 2}::timestamptz`;
const insertAndDeliver = sql(
  'events.insert_and_deliver',
  `WITH given AS MATERIALIZED (
     SELECT * FROM unnest(${arrayParameters(EVENTS, EVENTS.inserted, 1)}, $${EVENTS.inserted.length + 1}::text[])
       AS given (${EVENTS.inserted.join(', ')}, patterns)
   ), open AS MATERIALIZED (
     SELECT id, tenant, events FROM notification_webhooks
      WHERE tenant = ANY ($${EVENTS.inserted.indexOf('tenant') + 1}) AND deleted_at IS NULL AND status = 'enabled'
        AND verification IN ('not_required', 'verified')
   ), listening AS MATERIALIZED (
     SELECT open.id AS webhook, given.id AS event, given.tenant, given.type, given.object_id, given.subject, given.sequence
       FROM given JOIN open ON open.tenant = given.tenant AND open.events && string_to_array(given.patterns, ' ')
   ), newest AS MATERIALIZED (
     SELECT listening.webhook, listening.subject, one.id FROM ${newestBefore('listening')}
   ), ahead AS (
     ${countFollower('SELECT id FROM newest')}
   ), before AS (
     ${countFollower(`SELECT one.id FROM ${newestBefore('newest', 'AND p.id <> newest.id')}
              WHERE (newest.webhook, newest.subject) NOT IN (SELECT webhook, subject FROM ahead)`)}
   ), event AS (
     INSERT INTO events (${EVENTS.inserted.join(', ')}) SELECT ${EVENTS.inserted.join(', ')} FROM given
   ), made AS (
     INSERT INTO webhook_deliveries
       (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
     SELECT 'whd_' || replace(uuidv7()::text, '-', ''), tenant, webhook, event, type, object_id, subject, sequence, 'pending',
            CASE WHEN (webhook, subject) IN (TABLE ahead UNION ALL TABLE before) THEN NULL ELSE ${NOW} END, ${NOW}
       FROM listening
     RETURNING due_at
   )
   SELECT count(due_at)::int AS due FROM made`,
);

// Deliveries are looked up event by event: a join would read the whole index for a few events.
const removeOld = sql(
  'events.remove_old',
  `WITH old AS MATERIALIZED (
     SELECT id FROM events WHERE id < $1 AND id > $2 AND stored_at < $3 ORDER BY id LIMIT $4
   ), gone AS (
     DELETE FROM events WHERE id = ANY (ARRAY(
       SELECT id FROM old WHERE (SELECT 1 FROM webhook_deliveries d WHERE d.event = old.id LIMIT 1) IS NULL))
     RETURNING id, tenant, type, object_id, subject, sequence, occurred_at, stored_at
   ), past AS (
     INSERT INTO past_events (id, tenant, type, object_id, subject, sequence, occurred_at, stored_at) TABLE gone
     ON CONFLICT DO NOTHING
   )
   SELECT count(*)::int AS looked, max(id) AS last FROM old`,
);

const occurredAt = sql('events.occurred_at', 'SELECT occurred_at FROM events WHERE tenant = $1 AND id = $2');
// $2 to $4: from, and the event after which the page starts. Both bound the index in every query. The end of the time is part of that
// start: without statistics PostgreSQL takes two bounds of one column for a few rows, and then any index for as good as another.
const PAGE = `occurred_at >= $2 AND (occurred_at, id) < ($3, $4) AND stored_at > $5
    ORDER BY occurred_at DESC, id DESC LIMIT $6`;
const list = sql('events.list', `SELECT * FROM events WHERE tenant = $1 AND ${PAGE}`);
const listOfObject = sql(
  'events.list_of_object',
  `SELECT * FROM events WHERE tenant = $1 AND object_id = $7 AND ($8::text[] IS NULL OR type = ANY($8)) AND ${PAGE}`,
);
// Takes a page of each type, and one page of the result, so that a rare type is not searched for among all events.
const listOfTypes = sql(
  'events.list_of_types',
  `SELECT e.* FROM unnest($7::text[]) AS asked (type)
    CROSS JOIN LATERAL (SELECT * FROM events WHERE tenant = $1 AND type = asked.type AND ${PAGE}) e
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT $6`,
);

// EVT-7: every public event of the last 30 days, by the wall clock.
const SHOWN_MS = 30 * 24 * 60 * 60_000;

export const insertEvent = insertRow(EVENTS);

/**
 * Stores events of different objects, each with one delivery for each enabled endpoint of its tenant that subscribes to its type: due now,
 * or held behind earlier deliveries of its object. Returns how many deliveries are due.
 */
export async function insertAndDeliverEvents(
  tx: Queryable,
  rows: readonly EventRow[],
  now: Date,
): Promise<number> {
  const patterns = rows.map(({ type }) => patternsFor(type).join(' '));
  const values = [...columnArrays(rows, EVENTS.inserted), patterns, now];
  const [made] = await tx.query<{ due: number }>(insertAndDeliver, values);
  return made?.due ?? 0;
}

/** The query of `GET /v2/events`; times are inclusive. */
export interface EventQuery {
  readonly limit: number;
  readonly starting_after: string | null;
  readonly types: readonly string[] | null;
  readonly object_id: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Sorts after every id: ids continue in hexadecimal digits. */
const AFTER_EVERY_ID = 'evt_g';

/** A place in the list: the page starts with the event after it. */
type Place = readonly [occurredAt: Date | 'infinity', id: string];

/**
 * Lists events by the time they occurred, newest first, none older than 30 days at `wallNow`. Returns none when the cursor is an unknown
 * event.
 */
export async function listEvents(
  database: Queryable,
  tenant: string,
  query: EventQuery,
  wallNow: Date,
): Promise<EventRow[]> {
  const { starting_after: after, from, to, object_id: object, types, limit } = query;
  const end: Place = [to ?? 'infinity', AFTER_EVERY_ID];
  const cursor = after === null ? end : await cursorOf(database, tenant, after);
  if (!cursor) return [];
  const start = to !== null && cursor[0] > to ? end : cursor;
  const page = [tenant, from ?? '-infinity', ...start, shownSince(wallNow), limit];
  if (object !== null) return database.query<EventRow>(listOfObject, [...page, object, types]);
  if (types !== null) return database.query<EventRow>(listOfTypes, [...page, types]);
  return database.query<EventRow>(list, page);
}

async function cursorOf(database: Queryable, tenant: string, id: string): Promise<Place | null> {
  const [row] = await database.query<{ occurred_at: Date }>(occurredAt, [tenant, id]);
  return row ? [row.occurred_at, id] : null;
}

/** Null for another tenant's event, and for one older than 30 days. */
export async function findEvent(
  database: Database,
  tenant: string,
  id: string,
  wallNow: Date,
): Promise<EventRow | null> {
  return database.manager.findOneBy(EVENTS.entity, {
    tenant,
    id: Equal(id),
    stored_at: MoreThan(shownSince(wallNow)),
  });
}

const shownSince = (wallNow: Date) => new Date(wallNow.getTime() - SHOWN_MS);

/**
 * Moves the facts of events that were stored before a wall time and have no delivery left to the past ones. Checks the next `most` events
 * after `after`, and returns the last of them, or null when there were no more.
 */
export async function removeOldEvents(
  tx: Queryable,
  { before, after, most }: { readonly before: Date; readonly after: string; readonly most: number },
): Promise<string | null> {
  const [row] = await tx.query<{ looked: number; last: string | null }>(removeOld, [
    firstIdAt('event', before),
    after,
    before,
    most,
  ]);
  return row?.looked === most ? row.last : null;
}
