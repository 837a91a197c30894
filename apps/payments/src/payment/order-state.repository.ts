import { bigint, defineTable, insertRow, integer, sql, text } from '@fundrail/persistence';
import type { Queryable, RowOf, Tx } from '@fundrail/persistence';
import type { OrderState, OrderStates } from './orders-of-payment.ts';
import type { Payment } from './payment.ts';

/** The last known state of each order of a payment or that ended without one, from its events or from the answer to a claim. */
export const ORDER_STATES = defineTable('order_states', {
  old_id: bigint().primary(),
  tenant: text(),
  order_id: text(),
  state: text<OrderState>().bySteps(),
  sequence: integer().bySteps(),
});
export type OrderFact = RowOf<typeof ORDER_STATES>;

/**
 * The newer sequence wins. The row is written even when nothing changes, to lock it: of a payment's creation and the consumer of an
 * order's event, the second waits here and sees what the first wrote.
 */
export const PROJECT_ORDERS = `
  ON CONFLICT (old_id) DO UPDATE SET
    state = CASE WHEN excluded.sequence > order_states.sequence THEN excluded.state ELSE order_states.state END,
    sequence = greatest(excluded.sequence, order_states.sequence)`;

export const observeOrder = insertRow(ORDER_STATES, PROJECT_ORDERS);

/**
 * Stores several facts of one payment's orders, in the order of `old_id`. Call it before the payment is locked, as the consumer of
 * events does: with the same lock order everywhere there is no deadlock.
 */
export async function observeOrders(tx: Tx, facts: readonly OrderFact[]): Promise<void> {
  for (const fact of facts.toSorted((one, other) => one.old_id - other.old_id)) await observeOrder(tx, fact);
}

const OBSERVE_KNOWN = sql(
  'order_states.observe_known',
  `UPDATE order_states SET
     state = CASE WHEN $3 > sequence THEN $4 ELSE state END,
     sequence = greatest($3, sequence)
   WHERE tenant = $1 AND old_id = $2 RETURNING old_id`,
);

/** The same for an order that has a payment. Returns false and stores nothing when there is none. */
export async function observeKnownOrder(tx: Tx, fact: OrderFact): Promise<boolean> {
  const { tenant, old_id, sequence, state } = fact;
  const rows = await tx.query(OBSERVE_KNOWN, [tenant, old_id, sequence, state]);
  return rows.length === 1;
}

const STATES = sql(
  'order_states.of',
  'SELECT old_id, state FROM order_states WHERE old_id = ANY($2) AND tenant = ANY($1)',
);

/** The states of the orders of payments, by payment: for `readChildren`. A state is null when none is known. */
export const STATES_OF_PAYMENTS = {
  // Not a join, whose plan could read other rows (decision 0010).
  name: `(SELECT payment_id, tenant, old_id,
            (SELECT s.state FROM order_states s WHERE s.old_id = o.old_id AND s.tenant = o.tenant) AS state
          FROM payment_orders o) AS states`,
  columns: { payment_id: bigint(), tenant: text(), old_id: bigint(), state: text<OrderState>().nullable() },
  names: ['payment_id', 'tenant', 'old_id', 'state'],
} as const;

type OrdersOf = Pick<Payment, 'tenant' | 'orders'>;

/** The states of the payment's orders in the projection, which may lag behind. */
export function orderStates(db: Queryable, payment: OrdersOf): Promise<OrderStates> {
  return orderStatesOf(db, [payment]);
}

/** The same for the orders of several payments. */
export async function orderStatesOf(db: Queryable, payments: readonly OrdersOf[]): Promise<OrderStates> {
  if (payments.length === 0) return new Map();
  const tenants = new Set(payments.map(({ tenant }) => tenant));
  const ids = payments.flatMap(({ orders }) => orders.map((share) => share.old_id));
  const rows = await db.query<Pick<OrderFact, 'old_id' | 'state'>>(STATES, [[...tenants], ids]);
  return byOrder(rows);
}

/** States as they were read. */
export function byOrder(
  rows: readonly { readonly old_id: number; readonly state: OrderState | null }[],
): OrderStates {
  return new Map(rows.flatMap(({ old_id, state }) => (state ? [[old_id, state]] : [])));
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
