import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { bookValues } from '../gatewaypoa/book.ts';
import type { RefundRow } from './refund.ts';

/** Due kind of a refund's end; the key is its reference. */
export const PROCESS_REFUND = 'process_refund';

const insert = sql(
  'refunds.insert',
  `INSERT INTO refunds (reference, payment_reference, tenant, amount, status, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
const book = sql(
  'refunds.book',
  `SELECT * FROM refunds WHERE created_at BETWEEN $1 AND $2 AND reference > $3 ORDER BY reference LIMIT $4`,
);
const find = sql('refunds.find', 'SELECT * FROM refunds WHERE reference = $1');
const lock = sql('refunds.lock', 'SELECT * FROM refunds WHERE reference = $1 FOR UPDATE');
const refunded = sql(
  'refunds.refunded',
  `SELECT coalesce(sum(amount), 0)::numeric(22,4) AS amount FROM refunds WHERE payment_reference = $1 AND status <> 'failed'`,
);
const update = sql(
  'refunds.update',
  'UPDATE refunds SET status = $2, failure_code = $3 WHERE reference = $1',
);

export async function insertRefund(tx: Tx, row: RefundRow): Promise<void> {
  const { reference, payment_reference, tenant, amount, status, created_at } = row;
  await tx.query(insert, [reference, payment_reference, tenant, amount, status, created_at]);
}

export async function findRefund(db: Queryable, reference: string): Promise<RefundRow | null> {
  return (await db.query<RefundRow>(find, [reference]))[0] ?? null;
}

export async function lockRefund(tx: Tx, reference: string): Promise<RefundRow | null> {
  return (await tx.query<RefundRow>(lock, [reference]))[0] ?? null;
}

/** The refunded amount of a payment, refunds in progress included. This transaction holds the payment's lock. */
export async function refundedOf(tx: Tx, paymentReference: string): Promise<Decimal> {
  return (await tx.query<{ amount: Decimal }>(refunded, [paymentReference]))[0]?.amount ?? Decimal.ofPaise(0);
}

export async function updateRefund(tx: Tx, row: RefundRow): Promise<void> {
  await tx.query(update, [row.reference, row.status, row.failure_code]);
}

/** The refunds accepted between two times, by reference. */
export function bookOfRefunds(db: Queryable, query: gatewaypoaWire.BookQueryWire): Promise<RefundRow[]> {
  return db.query<RefundRow>(book, bookValues(query));
}
