import { sql } from '@fundrail/messaging';
import type { Queryable } from '@fundrail/messaging';

/** Changes that one statement adds to the counters: some tens of milliseconds, however many there are after a long pause. */
export const FOLDED_AT_ONCE = 10_000;

// Two folds at once: the later leaves what the earlier takes away. The condition, which all rows meet, is for the index: its scan
// marks what is dead, a scan of the table passes all of it until the next vacuum (decision 0010).
const FOLD = sql(
  'payment_counts.fold',
  `WITH folded AS (
     DELETE FROM payment_count_deltas WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM payment_count_deltas WHERE tenant >= '' ORDER BY tenant, day LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING tenant, day, payment_type, status, n
   ), counted AS (
     INSERT INTO payment_counts AS c (tenant, day, payment_type, status, n)
     SELECT tenant, day, payment_type, status, sum(n) FROM folded
       GROUP BY tenant, day, payment_type, status HAVING sum(n) <> 0
       ORDER BY tenant, day, payment_type, status
     ON CONFLICT (tenant, day, payment_type, status) DO UPDATE SET n = c.n + excluded.n
   )
   SELECT count(*)::int AS n FROM folded`,
);
// No more than two folds have left: it follows each of them.
const FORGET_EMPTY = sql('payment_counts.forget_empty', 'DELETE FROM payment_counts WHERE n = 0');

/**
 * Adds what has been counted since the last time to the counters, `FOLDED_AT_ONCE` changes at most. The sum of both is the same before
 * and after. Answers whether there may be more.
 */
export async function foldPaymentCounts(db: Queryable): Promise<boolean> {
  const [folded] = await db.query<{ n: number }>(FOLD, [FOLDED_AT_ONCE]);
  await db.query(FORGET_EMPTY);
  return folded?.n === FOLDED_AT_ONCE;
}
