import { sql, type Tx } from '@fundrail/persistence';

const note = sql(
  'gateway_events.note',
  `INSERT INTO gateway_events (event_id, reference, received_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING event_id`,
);

/** Stores a callback under the gateway's own id. Returns false when it was stored before: a repeat changes nothing. */
export async function noteGatewayEvent(tx: Tx, eventId: string, reference: string): Promise<boolean> {
  const rows = await tx.query(note, [eventId, reference, tx.now]);
  return rows.length === 1;
}
