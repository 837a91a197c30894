import { sql, type Database, type Queryable } from '@fundrail/service-kit/db';
import {
  And,
  Equal,
  In,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  MoreThanOrEqual,
  type FindOptionsWhere,
} from 'typeorm';
import { EventRow } from './event.entity.ts';

const insert = sql(
  'events.insert',
  `INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at, traceparent)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

// One statement in place of three: this is done for every event of the product. A delivery's id is made as newId() makes it.
const insertAndDeliver = sql(
  'events.insert_and_deliver',
  `WITH event AS (
     INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at, traceparent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     RETURNING id, tenant, type, object_id, subject, sequence
   )
   INSERT INTO webhook_deliveries
     (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
   SELECT 'whd_' || replace(uuidv7()::text, '-', ''), event.tenant, w.id, event.id, event.type, event.object_id,
          event.subject, event.sequence, 'pending', $11, $11
     FROM event JOIN notification_webhooks w ON w.tenant = event.tenant
    WHERE w.deleted_at IS NULL AND w.status = 'enabled' AND w.events && $12::text[]
   RETURNING id`,
);

// Contract §6: every public event of the last 30 days, by the wall clock.
const SHOWN_MS = 30 * 24 * 60 * 60_000;

const columns = (row: EventRow) => [
  row.id,
  row.tenant,
  row.type,
  row.object_id,
  row.subject,
  row.sequence,
  row.body,
  row.occurred_at,
  row.stored_at,
  row.traceparent,
];

export async function insertEvent(tx: Queryable, row: EventRow): Promise<void> {
  await tx.query(insert, columns(row));
}

/**
 * Keeps the event, with one delivery, due at once, for each enabled endpoint of its tenant that listens to one of the patterns.
 * Answers how many those are.
 */
export async function insertAndDeliverEvent(
  tx: Queryable,
  row: EventRow,
  { patterns, now }: { readonly patterns: readonly string[]; readonly now: Date },
): Promise<number> {
  const deliveries = await tx.query(insertAndDeliver, [...columns(row), now, patterns]);
  return deliveries.length;
}

/** What `GET /v2/events` asks for; times are inclusive. */
export interface EventQuery {
  readonly limit: number;
  readonly starting_after: string | null;
  readonly types: readonly string[] | null;
  readonly object_id: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Newest first, none older than 30 days at `wallNow`. */
export async function listEvents(
  database: Database,
  tenant: string,
  query: EventQuery,
  wallNow: Date,
): Promise<EventRow[]> {
  const bounds = [query.from && MoreThanOrEqual(query.from), query.to && LessThanOrEqual(query.to)];
  const between = bounds.filter((bound) => bound !== null);
  const where: FindOptionsWhere<EventRow> = {
    tenant,
    stored_at: shownSince(wallNow),
    ...(query.starting_after !== null && { id: LessThan(query.starting_after) }),
    ...(query.types !== null && { type: In(query.types) }),
    ...(query.object_id !== null && { object_id: query.object_id }),
    ...(between.length > 0 && { occurred_at: And(...between) }),
  };
  return database.manager.find(EventRow, { where, order: { id: 'DESC' }, take: query.limit });
}

/** Null for another tenant's event, and for one older than 30 days. */
export async function findEvent(
  database: Database,
  tenant: string,
  id: string,
  wallNow: Date,
): Promise<EventRow | null> {
  return database.manager.findOneBy(EventRow, { tenant, id: Equal(id), stored_at: shownSince(wallNow) });
}

const shownSince = (wallNow: Date) => MoreThan(new Date(wallNow.getTime() - SHOWN_MS));
