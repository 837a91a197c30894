import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { listValues, type ListQuery } from './listing.ts';
import type { Notes } from './sdk-order.ts';
import { toRefundObject, type SdkRefundRow } from './sdk-refund.ts';

/** Due kind of a refund's end; the key is its id. */
export const PROCESS_SDK_REFUND = 'process_sdk_refund';

const insert = sql(
  'sdk_refunds.insert',
  `INSERT INTO sdk_refunds (id, payment_id, tenant, amount, receipt, idempotency_key, notes, status, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const find = sql('sdk_refunds.find', 'SELECT * FROM sdk_refunds WHERE id = $1');
const lock = sql('sdk_refunds.lock', 'SELECT * FROM sdk_refunds WHERE id = $1 FOR UPDATE');
const ofKey = sql('sdk_refunds.of_key', 'SELECT * FROM sdk_refunds WHERE idempotency_key = $1');
const update = sql('sdk_refunds.update', 'UPDATE sdk_refunds SET status = $2 WHERE id = $1');
const note = sql('sdk_refunds.note', 'UPDATE sdk_refunds SET notes = $2 WHERE id = $1');
const list = sql(
  'sdk_refunds.list',
  `SELECT * FROM sdk_refunds WHERE created_at BETWEEN $1 AND $2 AND ($5::text IS NULL OR payment_id = $5)
   ORDER BY number DESC LIMIT $3 OFFSET $4`,
);

export async function insertRefund(tx: Tx, row: SdkRefundRow): Promise<void> {
  const facts = [row.id, row.payment_id, row.tenant, row.amount, row.receipt, row.idempotency_key];
  await tx.query(insert, [...facts, JSON.stringify(row.notes), row.status, row.created_at]);
}

export async function findRefund(db: Queryable, id: string): Promise<SdkRefundRow | null> {
  return (await db.query<SdkRefundRow>(find, [id]))[0] ?? null;
}

export async function lockRefund(tx: Tx, id: string): Promise<SdkRefundRow | null> {
  return (await tx.query<SdkRefundRow>(lock, [id]))[0] ?? null;
}

export async function refundOfKey(tx: Tx, key: string): Promise<SdkRefundRow | null> {
  return (await tx.query<SdkRefundRow>(ofKey, [key]))[0] ?? null;
}

export async function updateRefund(tx: Tx, row: SdkRefundRow): Promise<void> {
  await tx.query(update, [row.id, row.status]);
}

/** As in Razorpay's responses, newest first; of one payment if `paymentId` is given. */
export async function listRefunds(db: Queryable, query: ListQuery, paymentId: string | null) {
  const rows = await db.query<SdkRefundRow>(list, [...listValues(query), paymentId]);
  return rows.map(toRefundObject);
}

export async function noteRefund(tx: Tx, id: string, notes: Notes): Promise<void> {
  await tx.query(note, [id, JSON.stringify(notes)]);
}
