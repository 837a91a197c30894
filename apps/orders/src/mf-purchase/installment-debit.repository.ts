import { sql, type Tx } from '@fundrail/persistence';
import { MF_ORDERS, type MfOrder } from '../order/order.table.ts';

// The work of one lease, of all tenants. Rows are always locked in the order of old_id (CLAIM-3).
const lock = sql(
  'mf_orders.lock_debited',
  `SELECT ${MF_ORDERS.names.join(', ')} FROM mf_orders WHERE id = ANY($1) ORDER BY old_id FOR UPDATE`,
);
// A debit that exists needs no check whether it was created.
const over = sql(
  'mf_orders.debit_over',
  `UPDATE mf_orders o SET debit_over_at = $3,
          claim_check_at = CASE WHEN o.claimed_by = d.payment_id THEN NULL ELSE o.claim_check_at END
     FROM unnest($1::bigint[], $2::bigint[]) AS d (old_id, payment_id)
    WHERE o.old_id = d.old_id AND o.old_id = ANY ($1) AND o.debit_over_at IS NULL`,
);

/** Locks the orders with these ids, of all tenants. */
export function lockDebited(tx: Tx, ids: readonly string[]): Promise<MfOrder[]> {
  return tx.query<MfOrder>(lock, [ids]);
}

/** Records that no debit of the plan's mandate is raised any more for these locked orders: `old_id` → its payment, or null without one. */
export async function noteDebitsOver(tx: Tx, debits: ReadonlyMap<number, number | null>): Promise<void> {
  if (debits.size > 0) await tx.query(over, [[...debits.keys()], [...debits.values()], tx.now]);
}
