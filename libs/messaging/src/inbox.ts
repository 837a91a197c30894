import { sql, type Queryable, type Tx } from './database.port.ts';

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

// Longer than the 7 days for which events can be delivered again (architecture, rule 6).
const FORGET = sql(
  'inbox.forget',
  `DELETE FROM inbox WHERE (consumer_group, event_id) IN
     (SELECT consumer_group, event_id FROM inbox WHERE received_at < now() - interval '14 days' LIMIT 1000)
   RETURNING event_id`,
);

/** Deletes rows older than 14 days, a thousand a statement. */
export async function forgetOldInbox(db: Queryable): Promise<void> {
  for (let deleted = 1000; deleted === 1000;) deleted = (await db.query(FORGET)).length;
}
