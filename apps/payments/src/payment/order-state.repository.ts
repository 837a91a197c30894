import { sql } from '@fundrail/messaging';
import type { Queryable, Tx } from '@fundrail/messaging';
import type { OrderState, OrderStates } from './orders-of-payment.ts';
import type { Payment } from './payment.ts';

/** An order's state as one of its events, or the answer to a claim, told it. */
export interface OrderFact {
  readonly tenant: string;
  readonly old_id: number;
  readonly order_id: string;
  readonly state: OrderState;
  readonly sequence: number;
}

/**
 * The newer sequence wins. The row is written even when nothing changes, so that it is locked: a payment's creation and
 * the consumer of an order's event meet here, and the second of them sees what the first has done.
 */
export const PROJECT_ORDERS = `
  ON CONFLICT (old_id) DO UPDATE SET
    state = CASE WHEN excluded.sequence > order_states.sequence THEN excluded.state ELSE order_states.state END,
    sequence = greatest(excluded.sequence, order_states.sequence)`;

const OBSERVE = sql(
  'order_states.observe',
  `INSERT INTO order_states (old_id, tenant, order_id, state, sequence) VALUES ($1, $2, $3, $4, $5)
   ${PROJECT_ORDERS}`,
);

export async function observeOrder(tx: Tx, fact: OrderFact): Promise<void> {
  await tx.query(OBSERVE, [fact.old_id, fact.tenant, fact.order_id, fact.state, fact.sequence]);
}

const OBSERVE_KNOWN = sql(
  'order_states.observe_known',
  `UPDATE order_states SET
     state = CASE WHEN $3 > sequence THEN $4 ELSE state END,
     sequence = greatest($3, sequence)
   WHERE tenant = $1 AND old_id = $2 RETURNING old_id`,
);

/** The same for an order that a payment was made for; answers false, and keeps nothing, when there was none. */
export async function observeKnownOrder(tx: Tx, fact: OrderFact): Promise<boolean> {
  const { tenant, old_id, sequence, state } = fact;
  const rows = await tx.query(OBSERVE_KNOWN, [tenant, old_id, sequence, state]);
  return rows.length === 1;
}

const STATES = sql(
  'order_states.of',
  'SELECT old_id, state FROM order_states WHERE tenant = $1 AND old_id = ANY($2)',
);

/** How the payment's orders stand, as far as this service has heard. */
export async function orderStates(
  db: Queryable,
  { tenant, orders }: Pick<Payment, 'tenant' | 'orders'>,
): Promise<OrderStates> {
  const ids = orders.map((share) => share.old_id);
  const rows = await db.query<{ old_id: number; state: OrderState }>(STATES, [tenant, ids]);
  return new Map(rows.map((row) => [row.old_id, row.state]));
}

const LIVE_PAYMENT = sql(
  'payment_orders.live',
  'SELECT payment_id FROM payment_orders WHERE tenant = $1 AND old_id = $2 AND live',
);

/** The live or successful payment of an order, or null. */
export async function livePaymentOf(db: Queryable, tenant: string, oldId: number): Promise<number | null> {
  const [row] = await db.query<{ payment_id: number }>(LIVE_PAYMENT, [tenant, oldId]);
  return row?.payment_id ?? null;
}
