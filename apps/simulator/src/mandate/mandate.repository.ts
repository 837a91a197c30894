import { randomInt, randomUUID } from 'node:crypto';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { razorpayId } from '../sdkvendor/razorpay-id.ts';
import type { MandateNames, MandateRow } from './mandate.ts';

const insert = sql(
  'provider_mandates.insert',
  `INSERT INTO provider_mandates (reference, provider, mandate_id, tenant, mandate_type, max_amount, valid_from, valid_to, status, customer_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const find = sql('provider_mandates.find', 'SELECT * FROM provider_mandates WHERE reference = $1');
const lock = sql('provider_mandates.lock', 'SELECT * FROM provider_mandates WHERE reference = $1 FOR UPDATE');
const findByToken = sql(
  'provider_mandates.find_by_token',
  'SELECT * FROM provider_mandates WHERE token = $1',
);
const lockByToken = sql(
  'provider_mandates.lock_by_token',
  'SELECT * FROM provider_mandates WHERE token = $1 FOR UPDATE',
);
// Of several authorisations of one mandate, the one whose mandate is live, else the last.
const ofMandate = sql(
  'provider_mandates.of_mandate',
  `SELECT * FROM provider_mandates WHERE mandate_id = $1
   ORDER BY status IN ('active', 'paused') DESC, number DESC LIMIT 1`,
);
const update = sql(
  'provider_mandates.update',
  'UPDATE provider_mandates SET status = $2, token = $3, umrn = $4 WHERE reference = $1',
);
const ofCustomer = sql(
  'provider_mandates.of_customer',
  `SELECT * FROM provider_mandates WHERE customer_id = $1 AND token IS NOT NULL AND NOT deleted
   ORDER BY number DESC`,
);
const remove = sql(
  'provider_mandates.delete',
  'UPDATE provider_mandates SET deleted = true WHERE token = $1',
);

export async function insertMandate(tx: Tx, row: MandateRow): Promise<void> {
  const facts = [row.reference, row.provider, row.mandate_id, row.tenant, row.mandate_type, row.max_amount];
  const rest = [row.valid_from, row.valid_to, row.status, row.customer_id, row.created_at];
  await tx.query(insert, [...facts, ...rest]);
}

/** The mandate of an authorisation. */
export async function findMandate(db: Queryable, reference: string): Promise<MandateRow | null> {
  return (await db.query<MandateRow>(find, [reference]))[0] ?? null;
}

/** Lock the authorisation's payment row first. */
export async function lockMandate(tx: Tx, reference: string): Promise<MandateRow> {
  const [row] = await tx.query<MandateRow>(lock, [reference]);
  if (!row) throw new Error(`${reference} has no mandate`);
  return row;
}

export async function mandateOfToken(db: Queryable, token: string): Promise<MandateRow | null> {
  return (await db.query<MandateRow>(findByToken, [token]))[0] ?? null;
}

export async function lockMandateOfToken(tx: Tx, token: string): Promise<MandateRow | null> {
  return (await tx.query<MandateRow>(lockByToken, [token]))[0] ?? null;
}

/** Finds a mandate by our mandate's id, which is one sequence for all tenants. The caller checks the tenant. */
export async function mandateOfId(db: Queryable, mandateId: number): Promise<MandateRow | null> {
  return (await db.query<MandateRow>(ofMandate, [mandateId]))[0] ?? null;
}

/** The authorised mandates of a customer of Razorpay, newest first. */
export function mandatesOfCustomer(db: Queryable, customerId: string): Promise<MandateRow[]> {
  return db.query<MandateRow>(ofCustomer, [customerId]);
}

export async function updateMandate(tx: Tx, row: MandateRow): Promise<void> {
  await tx.query(update, [row.reference, row.status, row.token, row.umrn]);
}

/** Marks a token as deleted: Razorpay no longer returns it. */
export async function deleteMandate(tx: Tx, token: string): Promise<void> {
  await tx.query(remove, [token]);
}

const UMRN_DIGITS = 10;

/** Draws names in NPCI's format: a UMN looks like a VPA; a UMRN has twenty characters and starts with the bank's code. */
export function drawNames({ provider, mandate_type }: MandateRow): MandateNames {
  const drawn = randomUUID().replaceAll('-', '');
  const half = () => String(randomInt(10 ** UMRN_DIGITS)).padStart(UMRN_DIGITS, '0');
  return {
    token: provider === 'sdkvendor' ? razorpayId('token') : `gpm_${drawn}`,
    umrn: mandate_type === 'UPI' ? `${drawn}@${provider}` : `SAND${half()}${half().slice(0, 6)}`,
  };
}
