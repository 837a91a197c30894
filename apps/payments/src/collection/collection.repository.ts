import { saveRow, sql, type Queryable, type Tx } from '@fundrail/persistence';
import { findPayment } from '../payment/payment.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { AUTHORISATIONS, CHECKOUTS, UPI_REQUESTS } from './collection.tables.ts';
import type { Authorisation, CheckoutRow, UpiRequest } from './collection.tables.ts';
import { checkoutOf, upiOf, type Collection } from './collection.ts';

const of = (table: string) =>
  sql(`${table}.of`, `SELECT * FROM ${table} WHERE tenant = $1 AND payment_id = $2`);
const [UPI_REQUEST, CHECKOUT, AUTHORISATION] = [of('upi_requests'), of('checkouts'), of('authorisations')];

/** The payment and how its money is asked for; null when this tenant has none under that id. */
export async function findCollection(db: Queryable, tenant: string, id: number): Promise<Collection | null> {
  const payment = await findPayment(db, tenant, id);
  return payment && collectionOf(db, payment);
}

/** How the money of this payment is asked for. Throws when a row is missing. */
export async function collectionOf(db: Queryable, payment: Payment): Promise<Collection> {
  const { tenant, id, payment_type } = payment;
  if (payment_type === 'NACH') return { ...payment, request: null, authorisation: null };
  const key = [tenant, id];
  const [request] =
    payment.upi === null
      ? await db.query<CheckoutRow>(CHECKOUT, key)
      : await db.query<UpiRequest>(UPI_REQUEST, key);
  if (!request) throw new Error(`payment ${id} has no request`);
  const [authorisation = null] =
    payment_type === 'AUTH_TRANSACTION' ? await db.query<Authorisation>(AUTHORISATION, key) : [];
  return { ...payment, request, authorisation };
}

const saveUpi = saveRow(UPI_REQUESTS, 'payment_id');
const saveCheckout = saveRow(CHECKOUTS, 'payment_id');
const saveAuthorisation = saveRow(AUTHORISATIONS, 'payment_id');

/** Writes what changed beside the payment. The transaction has locked the payment. */
export async function saveCollection(tx: Tx, before: Collection, after: Collection): Promise<void> {
  const [upi, checkout] = [upiOf(after), checkoutOf(after)];
  if (after.request !== before.request) {
    if (upi) await saveUpi(tx, upi);
    if (checkout) await saveCheckout(tx, checkout);
  }
  if (after.authorisation && after.authorisation !== before.authorisation)
    await saveAuthorisation(tx, after.authorisation);
}
