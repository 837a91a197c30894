import { sql, type Queryable } from '@fundrail/persistence';

/** The fields of a stored event that show its object's sequence. */
export interface PublishedEventRow {
  readonly id: string;
  readonly tenant: string;
  readonly type: string;
  readonly object_id: string;
  readonly subject: string;
  readonly sequence: number;
}

const COLUMNS = 'id, tenant, type, object_id, subject, sequence';
const page = sql(
  'events.published_page',
  `SELECT ${COLUMNS} FROM events WHERE id > $1 AND stored_at <= $2 ORDER BY id LIMIT $3`,
);
const last = sql(
  'events.last_of_subjects',
  `SELECT e.* FROM unnest($1::text[]) AS asked (subject)
    CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM events
      WHERE object_id = split_part(asked.subject, ':', 2) AND events.subject = asked.subject
      ORDER BY sequence DESC LIMIT 1) e`,
);

/** Events in order of their ids after `after`, stored at or before `to`. */
export function pageOfPublished(
  db: Queryable,
  { after, to, most }: { readonly after: string; readonly to: Date; readonly most: number },
): Promise<PublishedEventRow[]> {
  return db.query<PublishedEventRow>(page, [after, to, most]);
}

/** The event with the highest sequence of each of these objects. */
export function lastEvents(db: Queryable, subjects: readonly string[]): Promise<PublishedEventRow[]> {
  return db.query<PublishedEventRow>(last, [subjects]);
}
