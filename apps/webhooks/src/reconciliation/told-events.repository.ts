import { sql, type Queryable } from '@fundrail/service-kit/db';

/** What of a stored event says how far its object had come. */
export interface ToldEvent {
  readonly id: string;
  readonly tenant: string;
  readonly type: string;
  readonly object_id: string;
  readonly subject: string;
  readonly sequence: number;
}

const COLUMNS = 'id, tenant, type, object_id, subject, sequence';
const page = sql(
  'events.told_page',
  `SELECT ${COLUMNS} FROM events WHERE id > $1 AND stored_at <= $2 ORDER BY id LIMIT $3`,
);
const last = sql(
  'events.last_of_subjects',
  `SELECT e.* FROM unnest($1::text[]) AS asked (subject)
    CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM events
      WHERE object_id = split_part(asked.subject, ':', 2) AND events.subject = asked.subject
      ORDER BY sequence DESC LIMIT 1) e`,
);

/** Events by their id after `after`, stored at most at `to`. */
export function pageOfTold(
  db: Queryable,
  { after, to, most }: { readonly after: string; readonly to: Date; readonly most: number },
): Promise<ToldEvent[]> {
  return db.query<ToldEvent>(page, [after, to, most]);
}

/** The event with the highest number of each of these objects. */
export function lastEvents(db: Queryable, subjects: readonly string[]): Promise<ToldEvent[]> {
  return db.query<ToldEvent>(last, [subjects]);
}
