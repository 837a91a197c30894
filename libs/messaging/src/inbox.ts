import type { EventEnvelope } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { orderingKey, topicOf } from './event-bus.port.ts';

const TAKE = sql(
  'inbox.take',
  `INSERT INTO inbox (consumer_group, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING event_id`,
);

/**
 * Records in the transaction of the effect that this event (or provider's callback) is handled. Returns false when it was
 * handled before; then do nothing. Waits for another transaction that is handling it.
 */
export async function takeFromInbox(tx: Tx, group: string, eventId: string): Promise<boolean> {
  const rows = await tx.query(TAKE, [group, eventId]);
  return rows.length > 0;
}

/** `fresh`: handle it now. `duplicate`: handled before. `behind`: an earlier event of its aggregate is parked. */
export type Place = 'fresh' | 'duplicate' | 'behind';

// In the order of the ids, so that two transactions with the same events cannot deadlock.
const PLACES = sql(
  'inbox.places',
  `WITH given AS (
     SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS event (event_id, topic, aggregate_id)
   ), parked AS MATERIALIZED (
     SELECT event_id FROM given WHERE EXISTS (
       SELECT FROM parked_events p
       WHERE p.consumer_group = $1 AND p.topic = given.topic AND p.aggregate_id = given.aggregate_id AND p.replayed_at IS NULL)
   ), taken AS (
     INSERT INTO inbox (consumer_group, event_id)
     SELECT $1, event_id FROM given WHERE event_id NOT IN (SELECT event_id FROM parked) ORDER BY event_id
     ON CONFLICT DO NOTHING RETURNING event_id
   )
   SELECT event_id, CASE
     WHEN EXISTS (SELECT FROM taken WHERE taken.event_id = given.event_id) THEN 'fresh'
     WHEN EXISTS (SELECT FROM inbox WHERE consumer_group = $1 AND event_id = ANY ($2) AND inbox.event_id = given.event_id) THEN 'duplicate'
     WHEN EXISTS (SELECT FROM parked WHERE parked.event_id = given.event_id) THEN 'behind'
     ELSE 'duplicate' -- another transaction was handling it, and committed while this statement waited
   END AS place FROM given`,
);

/**
 * Takes events of different aggregates into the inbox if they are new, and returns what to do with each at the same index. One
 * statement for any number of events. Throws when two of them belong to one aggregate: the later must wait for the earlier.
 */
export async function placesOf(tx: Tx, group: string, events: readonly EventEnvelope[]): Promise<Place[]> {
  if (new Set(events.map(orderingKey)).size < events.length)
    throw new Error('events of one aggregate are taken one after the other');
  const rows = await tx.query<{ event_id: string; place: Place }>(PLACES, [
    group,
    events.map(({ id }) => id),
    events.map(({ type }) => topicOf(type)),
    events.map(({ aggregate_id }) => aggregate_id),
  ]);
  const places = new Map(rows.map(({ event_id, place }) => [event_id, place]));
  return events.map(({ id }) => {
    const place = places.get(id);
    if (!place) throw new Error(`the inbox has no place for ${id}`);
    return place;
  });
}

// Longer than the 7 days for which events can be delivered again (MSG-8).
const FORGET = sql(
  'inbox.forget',
  `DELETE FROM inbox WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM inbox WHERE received_at < now() - interval '14 days' ORDER BY received_at LIMIT 1000))
   RETURNING event_id`,
);

/** Deletes rows older than 14 days of wall time, 1000 per statement. */
export async function deleteOldInbox(db: Queryable): Promise<void> {
  for (let deleted = 1000; deleted === 1000;) deleted = (await db.query(FORGET)).length;
}
