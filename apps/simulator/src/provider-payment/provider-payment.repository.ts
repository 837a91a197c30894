import type { gatewaypoaWire } from '@fundrail/providers';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { bookValues } from '../gatewaypoa/book.ts';
import type { ProviderPaymentRow } from './provider-payment.ts';

/** Due kind of the payer's response to a collect request; the key is the payment's reference. */
export const ANSWER_COLLECT = 'answer_collect';

const insert = sql(
  'provider_payments.insert',
  `INSERT INTO provider_payments (reference, payment_id, tenant, amount, payee_name, upi_uri, vpa, expires_at, status, created_at, provider, kind)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING RETURNING reference`,
);
const book = sql(
  'provider_payments.book',
  `SELECT * FROM provider_payments WHERE provider = 'gatewaypoa' AND kind <> 'authorisation' AND created_at BETWEEN $1 AND $2 AND reference > $3 ORDER BY reference LIMIT $4`,
);
const find = sql('provider_payments.find', 'SELECT * FROM provider_payments WHERE reference = $1');
const findById = sql('provider_payments.find_by_id', 'SELECT * FROM provider_payments WHERE payment_id = $1');
const lock = sql('provider_payments.lock', 'SELECT * FROM provider_payments WHERE reference = $1 FOR UPDATE');
const lockById = sql(
  'provider_payments.lock_by_id',
  'SELECT * FROM provider_payments WHERE payment_id = $1 FOR UPDATE',
);
const update = sql(
  'provider_payments.update',
  `UPDATE provider_payments SET status = $2, provider_reference = $3, failure_code = $4, failure_message = $5, transfer_refusal = $6,
     vpa = $7, expires_at = $8, kind = $9, upi_uri = $10, third_party = $11, captures = $12, first_reference = $13
   WHERE reference = $1`,
);
const nextNumber = sql(
  'provider_payments.next_number',
  `SELECT nextval('provider_payment_numbers') AS number`,
);

/** Returns whether the payment was new. */
export async function insertPayment(tx: Queryable, row: ProviderPaymentRow): Promise<boolean> {
  const facts = [row.reference, row.payment_id, row.tenant, row.amount, row.payee_name, row.upi_uri, row.vpa];
  return (
    (await tx.query(insert, [...facts, row.expires_at, row.status, row.created_at, row.provider, row.kind]))
      .length === 1
  );
}

export async function findPayment(db: Queryable, reference: string): Promise<ProviderPaymentRow | null> {
  return (await db.query<ProviderPaymentRow>(find, [reference]))[0] ?? null;
}

/**
 * Finds a payment by our payment's id, which is one sequence for all tenants. The caller checks the tenant, or is the investor's page.
 */
export async function findPaymentById(db: Queryable, paymentId: number): Promise<ProviderPaymentRow | null> {
  return (await db.query<ProviderPaymentRow>(findById, [paymentId]))[0] ?? null;
}

export async function lockPayment(tx: Tx, reference: string): Promise<ProviderPaymentRow | null> {
  return (await tx.query<ProviderPaymentRow>(lock, [reference]))[0] ?? null;
}

export async function lockPaymentById(tx: Tx, paymentId: number): Promise<ProviderPaymentRow | null> {
  return (await tx.query<ProviderPaymentRow>(lockById, [paymentId]))[0] ?? null;
}

export async function updatePayment(tx: Tx, row: ProviderPaymentRow): Promise<void> {
  const { reference, status, provider_reference, failure_code, failure_message, transfer_refusal } = row;
  await tx.query(update, [
    reference,
    status,
    provider_reference,
    failure_code,
    failure_message,
    transfer_refusal,
    row.vpa,
    row.expires_at,
    row.kind,
    row.upi_uri,
    row.third_party,
    row.captures,
    row.first_reference,
  ]);
}

/** The provider's own number for money that came in: a UPI reference number (RRN) has twelve digits. */
export async function nextProviderReference(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ number: number }>(nextNumber);
  if (!row) throw new Error('the sequence of payment numbers returned no value');
  return String(row.number).padStart(12, '0');
}

/** The payments accepted between two times, by reference. */
export function bookOfPayments(
  db: Queryable,
  query: gatewaypoaWire.BookQueryWire,
): Promise<ProviderPaymentRow[]> {
  return db.query<ProviderPaymentRow>(book, bookValues(query));
}
