import { sql, type Statement, type Tx } from '@fundrail/persistence';

const orders = sql('gateway_order_numbers.next', `SELECT nextval('gateway_order_numbers') AS number`);
const payments = sql('provider_payment_numbers.next', `SELECT nextval('provider_payment_numbers') AS number`);

/** The gateway's own number for an accepted order. */
export async function nextOrderReference(tx: Tx): Promise<string> {
  return `GPOA${await next(tx, orders)}`;
}

/** The provider's own number for money that came in: a UPI reference number (RRN) has twelve digits. */
export async function nextProviderReference(tx: Tx): Promise<string> {
  return String(await next(tx, payments)).padStart(12, '0');
}

async function next(tx: Tx, sequence: Statement): Promise<number> {
  const [row] = await tx.query<{ number: number }>(sequence);
  if (!row) throw new Error(`${sequence.name} returned no value`);
  return row.number;
}
