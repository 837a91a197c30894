import type { PaymentDto } from '@fundrail/contracts';
import { sql, type Tx } from '@fundrail/persistence';
import { MF_ORDERS, type MfOrder } from '../order/order.table.ts';

/** What a payment reports about its money. */
export type Money = Pick<PaymentDto, 'id' | 'amc_order_ids' | 'debit_confirmed_at' | 'settled_at'>;

// Rows are locked in the order of all statements of claims (CLAIM-3). An order that another payment holds by now is left out.
const markMoney = sql(
  'mf_orders.mark_money',
  `WITH paid AS (
     SELECT old_id, money_settled_at AS settled_before FROM mf_orders
      WHERE tenant = $1 AND old_id = ANY($2) AND payment_id = $3 AND kind = 'purchase' ORDER BY old_id FOR UPDATE
   )
   UPDATE mf_orders AS o
      SET money_received_at = coalesce($4, o.money_received_at), money_settled_at = coalesce($5, o.money_settled_at)
     FROM paid WHERE o.old_id = paid.old_id
   RETURNING ${MF_ORDERS.names.map((name) => `o.${name}`).join(', ')}, paid.settled_before`,
);

/** Records the times of a payment's money at its purchases, and returns them with what was known before. */
export function markPaid(
  tx: Tx,
  tenant: string,
  { id, amc_order_ids, debit_confirmed_at, settled_at }: Money,
): Promise<(MfOrder & { readonly settled_before: Date | null })[]> {
  return tx.query(markMoney, [tenant, amc_order_ids, id, debit_confirmed_at, settled_at]);
}
