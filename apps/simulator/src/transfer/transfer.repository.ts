import type { gatewaypoaWire } from '@fundrail/providers';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { bookValues } from '../gatewaypoa/book.ts';
import type { TransferRow } from './transfer.ts';

/** Due kind of a transfer's end; the key is its reference. */
export const SETTLE_TRANSFER = 'settle_transfer';

const insert = sql(
  'transfers.insert',
  `INSERT INTO transfers (reference, payment_reference, tenant, shares, status, created_at)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING reference`,
);
const book = sql(
  'transfers.book',
  `SELECT * FROM transfers WHERE created_at BETWEEN $1 AND $2 AND reference > $3 ORDER BY reference LIMIT $4`,
);
const find = sql('transfers.find', 'SELECT * FROM transfers WHERE reference = $1');
const lock = sql('transfers.lock', 'SELECT * FROM transfers WHERE reference = $1 FOR UPDATE');
const ended = sql(
  'transfers.ended',
  `SELECT reference FROM transfers WHERE payment_reference = $1 AND status <> 'processing' LIMIT 1`,
);
const running = sql(
  'transfers.running',
  `SELECT reference FROM transfers WHERE payment_reference = $1 AND status = 'processing' ORDER BY reference`,
);
const update = sql(
  'transfers.update',
  'UPDATE transfers SET status = $2, failure_code = $3 WHERE reference = $1',
);

/** Returns whether the transfer was new. */
export async function insertTransfer(tx: Queryable, row: TransferRow): Promise<boolean> {
  const { reference, payment_reference, tenant, status, created_at } = row;
  const values = [reference, payment_reference, tenant, JSON.stringify(row.shares), status, created_at];
  return (await tx.query(insert, values)).length === 1;
}

export async function findTransfer(db: Queryable, reference: string): Promise<TransferRow | null> {
  return (await db.query<TransferRow>(find, [reference]))[0] ?? null;
}

export async function lockTransfer(tx: Tx, reference: string): Promise<TransferRow | null> {
  return (await tx.query<TransferRow>(lock, [reference]))[0] ?? null;
}

/** Whether a transfer of that payment's money has settled or was rejected. */
export async function hasEndedTransfer(tx: Tx, paymentReference: string): Promise<boolean> {
  return (await tx.query(ended, [paymentReference])).length > 0;
}

/** The transfers of that payment's money that have not ended. */
export async function runningTransfers(tx: Tx, paymentReference: string): Promise<string[]> {
  return (await tx.query<{ reference: string }>(running, [paymentReference])).map((row) => row.reference);
}

export async function updateTransfer(tx: Tx, row: TransferRow): Promise<void> {
  await tx.query(update, [row.reference, row.status, row.failure_code]);
}

/** The transfers accepted between two times, by reference. */
export function bookOfTransfers(db: Queryable, query: gatewaypoaWire.BookQueryWire): Promise<TransferRow[]> {
  return db.query<TransferRow>(book, bookValues(query));
}
