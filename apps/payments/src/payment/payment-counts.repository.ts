import { sql } from '@fundrail/messaging';
import type { Queryable } from '@fundrail/messaging';

// Two folds at once: the later waits for what the earlier takes away and then finds it gone. The condition, which all rows meet,
// is for the index: its scan marks what is dead, a scan of the table passes all of it until the next vacuum (decision 0010).
const FOLD = sql(
  'payment_counts.fold',
  `WITH folded AS (
     DELETE FROM payment_count_deltas WHERE tenant >= '' RETURNING tenant, day, payment_type, status, n
   )
   INSERT INTO payment_counts AS c (tenant, day, payment_type, status, n)
   SELECT tenant, day, payment_type, status, sum(n) FROM folded
     GROUP BY tenant, day, payment_type, status HAVING sum(n) <> 0
     ORDER BY tenant, day, payment_type, status
   ON CONFLICT (tenant, day, payment_type, status) DO UPDATE SET n = c.n + excluded.n`,
);
const FORGET_EMPTY = sql('payment_counts.forget_empty', 'DELETE FROM payment_counts WHERE n = 0');

/** Adds what has been counted since the last time to the counters. The sum of both is the same before and after. */
export async function foldPaymentCounts(db: Queryable): Promise<void> {
  await db.query(FOLD);
  await db.query(FORGET_EMPTY);
}
