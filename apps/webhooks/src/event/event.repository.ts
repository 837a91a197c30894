import { firstIdAt } from '@fundrail/contracts';
import { insertRow, parameters, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { Equal, MoreThan } from 'typeorm';
import { EVENTS, type EventRow } from './event.table.ts';

/** The parameter of a column of the event. Those after them are the time of the deliveries and the patterns of the type. */
const at = (column: (typeof EVENTS.inserted)[number]) => `$${EVENTS.inserted.indexOf(column) + 1}`;
const AFTER_EVENT = EVENTS.inserted.length + 1;

// One statement instead of four, because it runs for every event of the product. A delivery's id has the format of newId(). If a delivery
// of the same object is pending, the new one is held, and the newest pending one counts it in `followers`. The update waits for an
// uncommitted end of that delivery, and a later end sees the count (`insertSuccess`). If that end was a manual retry, which leaves the
// order, the delivery before it counts it. The first parameters are the columns of the event.
const insertAndDeliver = sql(
  'events.insert_and_deliver',
  `WITH listening AS MATERIALIZED (
     SELECT id FROM notification_webhooks
      WHERE tenant = ${at('tenant')} AND deleted_at IS NULL AND status = 'enabled' AND verification IN ('not_required', 'verified')
        AND events && $${AFTER_EVENT + 1}::text[]
   ), newest AS MATERIALIZED (
     SELECT listening.id AS webhook, one.id
       FROM listening CROSS JOIN LATERAL (
              SELECT p.id FROM webhook_deliveries p
               WHERE p.webhook = listening.id AND p.subject = ${at('subject')} AND p.status = 'pending' AND p.in_order
               ORDER BY p.sequence DESC LIMIT 1) one
   ), ahead AS (
     UPDATE webhook_deliveries d SET followers = followers + 1 FROM newest
      WHERE d.id = newest.id AND d.status = 'pending' AND d.in_order
     RETURNING d.webhook
   ), before AS (
     UPDATE webhook_deliveries d SET followers = followers + 1
       FROM newest CROSS JOIN LATERAL (
              SELECT p.id FROM webhook_deliveries p
               WHERE p.webhook = newest.webhook AND p.subject = ${at('subject')} AND p.status = 'pending' AND p.in_order AND p.id <> newest.id
               ORDER BY p.sequence DESC LIMIT 1) second
      WHERE newest.webhook NOT IN (SELECT webhook FROM ahead)
        AND d.id = second.id AND d.status = 'pending' AND d.in_order
     RETURNING d.webhook
   ), event AS (
     INSERT INTO events (${EVENTS.inserted.join(', ')})
     VALUES (${parameters(EVENTS.inserted)})
     RETURNING id, tenant, type, object_id, subject, sequence
   )
   INSERT INTO webhook_deliveries
     (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
   SELECT 'whd_' || replace(uuidv7()::text, '-', ''), event.tenant, listening.id, event.id, event.type, event.object_id,
          event.subject, event.sequence, 'pending',
          CASE WHEN listening.id IN (SELECT webhook FROM ahead UNION ALL SELECT webhook FROM before) THEN NULL ELSE $${AFTER_EVENT}::timestamptz END, $${AFTER_EVENT}
     FROM event CROSS JOIN listening
   RETURNING id`,
);

// Deliveries are looked up event by event: a join would read the whole index for a few events.
const removeOld = sql(
  'events.remove_old',
  `WITH old AS MATERIALIZED (
     SELECT id FROM events WHERE id < $1 AND id > $2 AND stored_at < $3 ORDER BY id LIMIT $4
   ), gone AS (
     DELETE FROM events WHERE id = ANY (ARRAY(
       SELECT id FROM old WHERE (SELECT 1 FROM webhook_deliveries d WHERE d.event = old.id LIMIT 1) IS NULL))
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
 * Stores the event, with one delivery for each enabled endpoint of its tenant that subscribes to one of the patterns: due now, or held
 * behind earlier deliveries of its object. Returns the number of deliveries.
 */
export async function insertAndDeliverEvent(
  tx: Queryable,
  row: EventRow,
  { patterns, now }: { readonly patterns: readonly string[]; readonly now: Date },
): Promise<number> {
  const deliveries = await tx.query(insertAndDeliver, [...valuesOf(row, EVENTS.inserted), now, patterns]);
  return deliveries.length;
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
 * Deletes events that were stored before a wall time and have no delivery left. Checks the next `most` events after `after`, and returns
 * the last of them, or null when there were no more.
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
