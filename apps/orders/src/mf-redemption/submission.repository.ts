import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { ORDER_DUE } from '../order/order-due.ts';
import type { Order } from '../order/order.ts';

// One statement under the row lock: a transaction that stops the submission sees it either not started or started.
const begin = sql(
  'mf_orders.begin_submission',
  `UPDATE mf_orders SET submission_called_at = $3, submission_over_at = NULL
    WHERE tenant = $1 AND old_id = $2 AND state IN ('confirmed', 'submitted')
      AND submission_stopped_at IS NULL AND collection_returned_at IS NULL
   RETURNING old_id`,
);
const over = sql(
  'mf_orders.submission_over',
  `UPDATE mf_orders SET submission_called_at = $4, submission_over_at = $5
    WHERE tenant = $1 AND old_id = $2 AND submission_called_at = $3`,
);
const stop = sql(
  'mf_orders.stop_submission',
  `UPDATE mf_orders SET submission_stopped_at = coalesce(submission_stopped_at, $3) WHERE tenant = $1 AND old_id = $2`,
);
const returned = sql(
  'mf_orders.collection_returned',
  `UPDATE mf_orders SET collection_returned_at = coalesce(collection_returned_at, $3) WHERE tenant = $1 AND old_id = $2`,
);

// A replica of the previous release writes no mark. It leaves only its lease, or the number of its attempts.
const markUnmarked = sql(
  'mf_orders.mark_unmarked_submission',
  `UPDATE mf_orders o
      SET submission_called_at = $3,
          submission_over_at = CASE WHEN w.leased_until > clock_timestamp() THEN NULL ELSE $3::timestamptz END
     FROM due_work w
    WHERE o.tenant = $1 AND o.old_id = ANY ($2) AND o.state = 'confirmed' AND o.collected_at IS NOT NULL
      AND o.submission_called_at IS NULL
      AND w.kind = '${ORDER_DUE.submitInstallment}' AND w.key = o.id AND (w.attempts > 0 OR w.lease_token IS NOT NULL)
   RETURNING o.old_id, o.submission_called_at, o.submission_over_at`,
);

type Named = Pick<Order, 'tenant' | 'old_id'>;
type Marks = Pick<Order, 'old_id' | 'submission_called_at' | 'submission_over_at'>;

/** Stores that the gateway is about to be called. Returns false, and writes nothing, when the order's money goes back. */
export async function beginSubmission(db: Queryable, { tenant, old_id }: Named, at: Date): Promise<boolean> {
  return (await db.query(begin, [tenant, old_id, at])).length === 1;
}

/**
 * The call that started at `began` is over. `called` is when the gateway was last called: `began`, or the earlier value if this
 * call was not made in the end.
 */
export async function endSubmission(
  db: Queryable,
  { tenant, old_id }: Named,
  call: { readonly began: Date; readonly called: Date | null; readonly at: Date },
): Promise<void> {
  const { began, called, at } = call;
  await db.query(over, [tenant, old_id, began, called, called && at]);
}

/**
 * The locked orders of one tenant, with every possible unmarked call counted as made. During an upgrade, a replica of the previous
 * release submits without a mark. An order without a mark whose submission was leased or attempted gets one here. Then the gateway
 * is asked, and the order does not fail immediately.
 */
export async function markUnmarkedCalls(
  tx: Tx,
  tenant: string,
  rows: readonly Order[],
): Promise<readonly Order[]> {
  const ids = rows.map(({ old_id }) => old_id);
  const marked = await tx.query<Marks>(markUnmarked, [tenant, ids, tx.now]);
  const marks = new Map(marked.map((row) => [row.old_id, row]));
  return rows.map((row) => ({ ...row, ...marks.get(row.old_id) }));
}

/** From now on no call that submits this locked order is started. */
export async function stopSubmission(tx: Tx, { tenant, old_id }: Named): Promise<void> {
  await tx.query(stop, [tenant, old_id, tx.now]);
}

/** Records that the money of this locked order went back. */
export async function markReturned(tx: Tx, { tenant, old_id }: Named): Promise<void> {
  await tx.query(returned, [tenant, old_id, tx.now]);
}
