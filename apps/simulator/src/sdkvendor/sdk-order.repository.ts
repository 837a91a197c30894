import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { listValues, type OrderListQuery } from './listing.ts';
import { toOrderObject, type Notes, type SdkOrderRow } from './sdk-order.ts';

/** An order with the facts that decide its status. */
interface StatedOrder extends SdkOrderRow {
  readonly paid: boolean;
  readonly attempts: number;
  readonly notified_token: string | null;
  readonly notified_for: Date | null;
}

const STATED = `SELECT o.*, p.status = 'captured' AS paid,
   (SELECT count(*) FROM sdk_payments a WHERE a.order_id = o.id) AS attempts,
   n.mandate_token AS notified_token, n.execute_at AS notified_for
   FROM sdk_orders o JOIN provider_payments p ON p.reference = o.reference
   LEFT JOIN debit_notices n ON n.notice_reference = o.id`;
const insert = sql(
  'sdk_orders.insert',
  `INSERT INTO sdk_orders (id, reference, tenant, receipt, amount, currency, notes, created_at, method, repeats)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING id`,
);
const find = sql('sdk_orders.find', `${STATED} WHERE o.id = $1`);
const findByReference = sql('sdk_orders.find_by_reference', `${STATED} WHERE o.reference = $1`);
const list = sql(
  'sdk_orders.list',
  `${STATED} WHERE o.created_at BETWEEN $1 AND $2 AND ($5::text IS NULL OR o.receipt = $5)
   ORDER BY o.number DESC LIMIT $3 OFFSET $4`,
);
const note = sql('sdk_orders.note', 'UPDATE sdk_orders SET notes = $2 WHERE id = $1');

/** Returns whether the order was new: its receipt may have been used before. */
export async function insertOrder(tx: Tx, row: SdkOrderRow): Promise<boolean> {
  const facts = [row.id, row.reference, row.tenant, row.receipt, row.amount, row.currency];
  const rest = [JSON.stringify(row.notes), row.created_at, row.method, row.repeats];
  return (await tx.query(insert, [...facts, ...rest])).length === 1;
}

export async function findOrder(db: Queryable, id: string): Promise<StatedOrder | null> {
  return (await db.query<StatedOrder>(find, [id]))[0] ?? null;
}

export async function orderOfReference(db: Queryable, reference: string): Promise<StatedOrder | null> {
  return (await db.query<StatedOrder>(findByReference, [reference]))[0] ?? null;
}

/** The order as in Razorpay's responses. */
export function statedObject(row: StatedOrder) {
  const { notified_token: mandate_token, notified_for: execute_at } = row;
  const notification = mandate_token && execute_at ? { mandate_token, execute_at } : null;
  return toOrderObject(row, row, notification);
}

/** As in Razorpay's responses, newest first. */
export async function listOrders(db: Queryable, query: OrderListQuery) {
  const rows = await db.query<StatedOrder>(list, [...listValues(query), query.receipt ?? null]);
  return rows.map(statedObject);
}

export async function noteOrder(tx: Tx, id: string, notes: Notes): Promise<void> {
  await tx.query(note, [id, JSON.stringify(notes)]);
}
