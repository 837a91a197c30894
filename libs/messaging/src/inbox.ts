import type { EventEnvelope } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from './database.port.ts';
import { topicOf } from './event-bus.port.ts';

const TAKE = sql(
  'inbox.take',
  `INSERT INTO inbox (consumer_group, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING event_id`,
);

/**
 * Notes in the transaction of the effect that this event (or provider's callback) is handled. False: it was handled
 * before, so do nothing. Waits for another transaction that is just handling it.
 */
export async function takeFromInbox(tx: Tx, group: string, eventId: string): Promise<boolean> {
  const rows = await tx.query(TAKE, [group, eventId]);
  return rows.length > 0;
}

/** `fresh`: handle it now. `duplicate`: handled before. `behind`: an earlier event of its aggregate is parked. */
export type Place = 'fresh' | 'duplicate' | 'behind';

const PLACE = sql(
  'inbox.place',
  `WITH parked AS MATERIALIZED (
     SELECT FROM parked_events
     WHERE consumer_group = $1 AND topic = $3 AND aggregate_id = $4 AND replayed_at IS NULL LIMIT 1
   ), taken AS (
     INSERT INTO inbox (consumer_group, event_id) SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM parked)
     ON CONFLICT DO NOTHING RETURNING event_id
   )
   SELECT CASE
     WHEN EXISTS (SELECT FROM taken) THEN 'fresh'
     WHEN EXISTS (SELECT FROM inbox WHERE consumer_group = $1 AND event_id = $2) THEN 'duplicate'
     WHEN EXISTS (SELECT FROM parked) THEN 'behind'
     ELSE 'duplicate' -- another transaction was handling it, and committed while this statement waited
   END AS place`,
);

/** Takes the event from the bus into the inbox, if it is fresh, and answers what is to be done with it: one statement. */
export async function placeOf(tx: Tx, group: string, event: EventEnvelope): Promise<Place> {
  const values = [group, event.id, topicOf(event.type), event.aggregate_id];
  const [row] = await tx.query<{ place: Place }>(PLACE, values);
  if (!row) throw new Error('a SELECT without FROM answered no row');
  return row.place;
}

// Longer than the 7 days for which events can be delivered again (architecture, rule 6).
const FORGET = sql(
  'inbox.forget',
  `DELETE FROM inbox WHERE (consumer_group, event_id) IN
     (SELECT consumer_group, event_id FROM inbox WHERE received_at < now() - interval '14 days' LIMIT 1000)
   RETURNING event_id`,
);

/** Deletes rows older than 14 days of wall time, a thousand a statement. */
export async function forgetOldInbox(db: Queryable): Promise<void> {
  for (let deleted = 1000; deleted === 1000;) deleted = (await db.query(FORGET)).length;
}
