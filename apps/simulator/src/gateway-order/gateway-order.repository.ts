import type { gatewaypoaWire } from '@fundrail/providers';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { bookValues } from '../gatewaypoa/book.ts';
import type { GatewayOrderRow } from './gateway-order.ts';

const insert = sql(
  'gateway_orders.insert',
  `INSERT INTO gateway_orders (reference, tenant, old_id, kind, scheme, folio_number, amount, units, review, submission,
     outcome, money_arrived, created_at, collected)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   ON CONFLICT DO NOTHING RETURNING reference`,
);
const book = sql(
  'gateway_orders.book',
  `SELECT * FROM gateway_orders WHERE created_at BETWEEN $1 AND $2 AND reference > $3 ORDER BY reference LIMIT $4`,
);
const find = sql('gateway_orders.find', 'SELECT * FROM gateway_orders WHERE reference = $1');
const lock = sql('gateway_orders.lock', 'SELECT * FROM gateway_orders WHERE reference = $1 FOR UPDATE');
const lockByOldId = sql(
  'gateway_orders.lock_by_old_id',
  'SELECT * FROM gateway_orders WHERE tenant = $1 AND old_id = $2 FOR UPDATE',
);
const update = sql(
  'gateway_orders.update',
  `UPDATE gateway_orders SET review = $2, submission = $3, order_reference = $4, outcome = $5, failure_code = $6, traded_on = $7,
     allotted_units = $8, allotted_amount = $9, nav = $10, allotted_folio = $11
   WHERE reference = $1`,
);
// Rows are locked in one order, so that two transfers with the same orders cannot deadlock.
const markPaid = sql(
  'gateway_orders.mark_paid',
  `WITH l AS (SELECT reference FROM gateway_orders WHERE reference = ANY($1) AND tenant = $2 ORDER BY reference FOR UPDATE)
   UPDATE gateway_orders o SET money_arrived = true FROM l WHERE o.reference = l.reference RETURNING o.*`,
);
const lockMany = sql(
  'gateway_orders.lock_many',
  'SELECT * FROM gateway_orders WHERE reference = ANY($1) AND tenant = $2 ORDER BY reference FOR UPDATE',
);
const nextNumber = sql('gateway_orders.next_number', `SELECT nextval('gateway_order_numbers') AS number`);

/** Returns whether the order was new. */
export async function insertOrder(tx: Queryable, row: GatewayOrderRow): Promise<boolean> {
  const { reference, tenant, old_id, kind, scheme, folio_number, amount, units } = row;
  const facts = [reference, tenant, old_id, kind, scheme, folio_number, amount, units];
  const steps = [row.review, row.submission, row.outcome, row.money_arrived, row.created_at, row.collected];
  return (await tx.query(insert, [...facts, ...steps])).length === 1;
}

export async function findOrder(db: Queryable, reference: string): Promise<GatewayOrderRow | null> {
  return (await db.query<GatewayOrderRow>(find, [reference]))[0] ?? null;
}

export async function lockOrder(tx: Tx, reference: string): Promise<GatewayOrderRow | null> {
  return (await tx.query<GatewayOrderRow>(lock, [reference]))[0] ?? null;
}

export async function lockOrderByOldId(
  tx: Tx,
  tenant: string,
  oldId: number,
): Promise<GatewayOrderRow | null> {
  return (await tx.query<GatewayOrderRow>(lockByOldId, [tenant, oldId]))[0] ?? null;
}

export async function updateOrder(tx: Tx, row: GatewayOrderRow): Promise<void> {
  const steps = [row.review, row.submission, row.order_reference, row.outcome, row.failure_code];
  const allotment = [row.traded_on, row.allotted_units, row.allotted_amount, row.nav, row.allotted_folio];
  await tx.query(update, [row.reference, ...steps, ...allotment]);
}

/** Marks these orders as paid. */
export function markOrdersPaid(
  tx: Tx,
  tenant: string,
  references: readonly string[],
): Promise<GatewayOrderRow[]> {
  return tx.query<GatewayOrderRow>(markPaid, [references, tenant]);
}

/** Locks these orders of the tenant, always in the same sequence. */
export function lockOrders(
  tx: Tx,
  tenant: string,
  references: readonly string[],
): Promise<GatewayOrderRow[]> {
  return tx.query<GatewayOrderRow>(lockMany, [references, tenant]);
}

/** The gateway's own number for an accepted order. */
export async function nextOrderReference(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ number: number }>(nextNumber);
  if (!row) throw new Error('the sequence of order numbers returned no value');
  return `GPOA${row.number}`;
}

/** The orders accepted between two times, by reference. */
export function bookOfOrders(db: Queryable, query: gatewaypoaWire.BookQueryWire): Promise<GatewayOrderRow[]> {
  return db.query<GatewayOrderRow>(book, bookValues(query));
}
