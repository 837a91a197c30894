import type pg from 'pg';
import { EVENT_DATA, TENANT } from '../lib/events.ts';

/** Events of one aggregate, and aggregates whose events lie among each other, as those of payments made at one time do. */
export const EVENTS_EACH = 5;
const NEIGHBOURS = 50;

// Ids in the order of commits: of 50 aggregates the first events, then their second ones, and so on; then the next 50.
const FILL = `
  INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data)
  SELECT 'evt_' || lpad(to_hex($1::bigint + row_number() OVER (ORDER BY block, seq, one)), 32, '0'), 'payment.updated', 1, $2,
         ($1::bigint + block * ${NEIGHBOURS} + one)::text, seq, now(), $3
    FROM generate_series(0, $4::int / ${NEIGHBOURS * EVENTS_EACH} - 1) AS block, generate_series(1, ${EVENTS_EACH}) AS seq,
         generate_series(1, ${NEIGHBOURS}) AS one
   ORDER BY block, seq, one`;

/** Puts so many unpublished events into an empty outbox, and leaves the server nothing to write of it. */
export async function fillOutbox(pool: pg.Pool, first: number, count: number): Promise<void> {
  await pool.query('TRUNCATE outbox');
  await pool.query(FILL, [first, TENANT, EVENT_DATA, count]);
  await pool.query('VACUUM ANALYZE outbox');
  await pool.query('CHECKPOINT');
}
