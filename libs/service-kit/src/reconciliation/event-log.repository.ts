import { RECONCILIATION_PAGE, type AskPublished, type PublishedEvent } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import type { Finding } from './reconciliation-check.ts';

const PUBLISHED = sql(
  'outbox.published',
  `SELECT id AS row, event_id AS id, type, tenant, aggregate_id, sequence FROM outbox
    WHERE id > $1 AND type = ANY($2) AND published_at BETWEEN $3 AND $4 ORDER BY id LIMIT ${RECONCILIATION_PAGE}`,
);
// Only published events: the relay is about to publish the others.
const REPUBLISH = sql(
  'outbox.republish',
  'UPDATE outbox SET published_at = NULL WHERE event_id = ANY($1) AND published_at IS NOT NULL RETURNING event_id',
);
const NOT_RECEIVED = sql(
  'inbox.not_received',
  `SELECT id FROM unnest($2::text[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM inbox WHERE consumer_group = $1 AND event_id = given.id AND event_id = ANY ($2))
      AND NOT EXISTS (SELECT FROM parked_events WHERE consumer_group = $1 AND event_id = given.id)`,
);
// A page of rows; `wanted` is a row when the number before it is missing, although an earlier one exists.
const GAPS = sql(
  'outbox.gaps',
  `WITH page AS MATERIALIZED (
     SELECT id, aggregate_id, sequence, tenant FROM outbox WHERE id > $1 AND created_at BETWEEN $2 AND $3 ORDER BY id LIMIT $4
   )
   SELECT page.id AS row, page.aggregate_id, page.sequence, page.tenant,
          page.sequence > 1
          AND NOT EXISTS (SELECT FROM outbox b WHERE b.aggregate_id = page.aggregate_id AND b.sequence = page.sequence - 1)
          AND EXISTS (SELECT FROM outbox b WHERE b.aggregate_id = page.aggregate_id AND b.sequence < page.sequence) AS wanted
     FROM page ORDER BY page.id`,
);
const GAPS_OF = sql(
  'outbox.gaps_of',
  `SELECT o.id AS row, o.aggregate_id, o.sequence, o.tenant FROM outbox o
     JOIN unnest($1::text[], $2::int[]) AS asked (aggregate_id, sequence) USING (aggregate_id, sequence)
    WHERE NOT EXISTS (SELECT FROM outbox b WHERE b.aggregate_id = o.aggregate_id AND b.sequence = o.sequence - 1)
      AND EXISTS (SELECT FROM outbox b WHERE b.aggregate_id = o.aggregate_id AND b.sequence < o.sequence)`,
);

// By the unique key of an object's events, so it is cheap even when many events wait: `coalesce` keeps the planner from their index.
const WAITING = sql(
  'outbox.waiting',
  `SELECT asked.aggregate_id FROM unnest($1::text[]) AS asked (aggregate_id)
    WHERE (SELECT true FROM outbox o WHERE o.aggregate_id = asked.aggregate_id
            AND coalesce(o.published_at, 'infinity') = 'infinity' LIMIT 1)`,
);

/** The given objects that have an event which this service has not published yet. */
export async function withUnpublished(
  db: Queryable,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ aggregate_id: string }>(WAITING, [objects]);
  return new Set(rows.map(({ aggregate_id }) => aggregate_id));
}

/** A page of published events; times are wall times. */
export function publishedBetween(db: Queryable, query: AskPublished): Promise<PublishedEvent[]> {
  const { after, types, from, to } = query;
  return db.query(PUBLISHED, [after, types, new Date(from), new Date(to)]);
}

/** Makes the relay publish these events once more. Returns how many there were. */
export async function republishEvents(db: Queryable, ids: readonly string[]): Promise<number> {
  return (await db.query(REPUBLISH, [ids])).length;
}

/** The given events that this group has neither handled nor parked. */
export async function notReceived(db: Queryable, group: string, ids: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(NOT_RECEIVED, [group, ids])).map(({ id }) => id);
}

/** An event with a missing predecessor. */
export interface GapRow {
  readonly row: number;
  readonly aggregate_id: string;
  readonly sequence: number;
  readonly tenant: string;
}

export function pageOfGaps(
  db: Queryable,
  after: number,
  from: Date,
  to: Date,
): Promise<(GapRow & { readonly wanted: boolean })[]> {
  return db.query(GAPS, [after, from, to, RECONCILIATION_PAGE]);
}

/** Those of the events in these facts of findings that still have a gap before them. */
export function gapsOf(db: Queryable, facts: readonly Finding['facts'][]): Promise<GapRow[]> {
  return db.query(GAPS_OF, [
    facts.map(({ aggregate_id }) => aggregate_id),
    facts.map(({ sequence }) => sequence),
  ]);
}
