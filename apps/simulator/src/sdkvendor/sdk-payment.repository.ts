import type { Decimal } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { listValues, type ListQuery } from './listing.ts';
import type { Notes } from './sdk-order.ts';
import { toPaymentObject, type PaymentToken, type SdkPaymentRow } from './sdk-payment.ts';

/** An attempt with its refunded amount. */
interface StatedPayment extends SdkPaymentRow, PaymentToken {
  readonly refunded: Decimal;
}

const STATED = `SELECT a.*, coalesce((SELECT sum(r.amount) FROM sdk_refunds r
   WHERE r.payment_id = a.id AND r.status <> 'failed'), 0)::numeric(22,4) AS refunded,
   m.token AS token_id, m.customer_id FROM sdk_payments a
   JOIN sdk_orders o ON o.id = a.order_id LEFT JOIN provider_mandates m ON m.reference = o.reference`;
const insert = sql(
  'sdk_payments.insert',
  `INSERT INTO sdk_payments (id, order_id, tenant, amount, currency, method, bank, vpa, email, contact, callback_url, notes, status, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);
const update = sql(
  'sdk_payments.update',
  'UPDATE sdk_payments SET status = $2, error_reason = $3, error_description = $4 WHERE id = $1',
);
const find = sql('sdk_payments.find', `${STATED} WHERE a.id = $1`);
const under = sql('sdk_payments.under', `${STATED} WHERE a.order_id = $1 ORDER BY a.number DESC`);
const list = sql(
  'sdk_payments.list',
  `${STATED} WHERE a.created_at BETWEEN $1 AND $2 ORDER BY a.number DESC LIMIT $3 OFFSET $4`,
);
const note = sql('sdk_payments.note', 'UPDATE sdk_payments SET notes = $2 WHERE id = $1');

export async function insertAttempt(tx: Tx, row: SdkPaymentRow): Promise<void> {
  const facts = [row.id, row.order_id, row.tenant, row.amount, row.currency, row.method, row.bank, row.vpa];
  const rest = [
    row.email,
    row.contact,
    row.callback_url,
    JSON.stringify(row.notes),
    row.status,
    row.created_at,
  ];
  await tx.query(insert, [...facts, ...rest]);
}

export async function updateAttempt(tx: Tx, row: SdkPaymentRow): Promise<void> {
  await tx.query(update, [row.id, row.status, row.error_reason, row.error_description]);
}

export async function findAttempt(db: Queryable, id: string): Promise<StatedPayment | null> {
  return (await db.query<StatedPayment>(find, [id]))[0] ?? null;
}

/** The attempts to pay an order, newest first. */
export function attemptsUnder(db: Queryable, orderId: string): Promise<StatedPayment[]> {
  return db.query<StatedPayment>(under, [orderId]);
}

/** As in Razorpay's responses, newest first. */
export async function listAttempts(db: Queryable, query: ListQuery) {
  const rows = await db.query<StatedPayment>(list, [...listValues(query)]);
  return rows.map((row) => toPaymentObject(row, row.refunded));
}

export async function noteAttempt(tx: Tx, id: string, notes: Notes): Promise<void> {
  await tx.query(note, [id, JSON.stringify(notes)]);
}
