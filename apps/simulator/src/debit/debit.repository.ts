import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { DebitRow } from './debit.ts';

const insert = sql(
  'provider_debits.insert',
  `INSERT INTO provider_debits (reference, payment_reference, tenant, mandate_token, notice_reference, amount, attempt, status, failure_code, failure_message, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const find = sql('provider_debits.find', 'SELECT * FROM provider_debits WHERE reference = $1');
const ofPayment = sql(
  'provider_debits.of_payment',
  'SELECT * FROM provider_debits WHERE payment_reference = $1 ORDER BY number',
);
const update = sql(
  'provider_debits.update',
  `UPDATE provider_debits SET status = $2, provider_reference = $3, failure_code = $4, failure_message = $5
   WHERE reference = $1`,
);
const onNotice = sql(
  'provider_debits.on_notice',
  `SELECT reference FROM provider_debits
   WHERE notice_reference = $1 AND status IN ('processing', 'captured') LIMIT 1`,
);

export async function insertDebit(tx: Tx, row: DebitRow): Promise<void> {
  const names = [row.reference, row.payment_reference, row.tenant, row.mandate_token, row.notice_reference];
  const facts = [row.amount, row.attempt, row.status, row.failure_code, row.failure_message, row.created_at];
  await tx.query(insert, [...names, ...facts]);
}

export async function findDebit(db: Queryable, reference: string): Promise<DebitRow | null> {
  return (await db.query<DebitRow>(find, [reference]))[0] ?? null;
}

/** The attempts of a payment, oldest first. */
export function debitsOfPayment(db: Queryable, paymentReference: string): Promise<DebitRow[]> {
  return db.query<DebitRow>(ofPayment, [paymentReference]);
}

export async function updateDebit(tx: Tx, row: DebitRow): Promise<void> {
  const outcome = [row.status, row.provider_reference, row.failure_code, row.failure_message];
  await tx.query(update, [row.reference, ...outcome]);
}

/** Whether a debit on that notice is processing or has succeeded. */
export async function hasDebitOn(tx: Tx, noticeReference: string): Promise<boolean> {
  return (await tx.query(onNotice, [noticeReference])).length > 0;
}
