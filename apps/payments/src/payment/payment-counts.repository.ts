import { sql, type Queryable } from '@fundrail/persistence';

/** Most changes that one statement adds to the counters, so that it takes some tens of milliseconds even after a long pause. */
export const MAX_FOLDED = 10_000;

// Of two concurrent folds, the later one skips the rows of the earlier one. The condition is true for all rows and makes the planner
// use the index: an index scan marks dead rows, while a table scan reads all of them until the next vacuum (decision 0010).
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
// Few rows: this runs after each fold.
const DELETE_EMPTY = sql('payment_counts.forget_empty', 'DELETE FROM payment_counts WHERE n = 0');

/** Moves at most `MAX_FOLDED` deltas into the counters. The sum of both tables does not change. Returns whether there may be more. */
export async function foldPaymentCounts(db: Queryable): Promise<boolean> {
  const [folded] = await db.query<{ n: number }>(FOLD, [MAX_FOLDED]);
  await db.query(DELETE_EMPTY);
  return folded?.n === MAX_FOLDED;
}
