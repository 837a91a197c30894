import { sql, type Tx } from '@fundrail/persistence';
import type { GatewayOrderRow } from './gateway-order.ts';

// Rows are locked in one order, so that two transfers with the same orders cannot deadlock.
const markPaid = sql(
  'gateway_orders.mark_paid',
  `WITH l AS (SELECT reference FROM gateway_orders WHERE reference = ANY($1) AND tenant = $2 ORDER BY reference FOR UPDATE)
   UPDATE gateway_orders o SET money_arrived = true, money_arrived_at = coalesce(money_arrived_at, $3) FROM l WHERE o.reference = l.reference RETURNING o.*`,
);

/** Marks these orders as paid. */
export function markOrdersPaid(
  tx: Tx,
  tenant: string,
  references: readonly string[],
): Promise<GatewayOrderRow[]> {
  return tx.query<GatewayOrderRow>(markPaid, [references, tenant, tx.now]);
}
