import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { inSeconds } from './listing.ts';
import type { Notes } from './sdk-order.ts';

/** A customer of the simulated Razorpay, identified by e-mail and phone number together. */
export interface SdkCustomerRow {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly contact: string | null;
  readonly notes: Notes;
  readonly created_at: Date;
}

const insert = sql(
  'sdk_customers.insert',
  `INSERT INTO sdk_customers (id, name, email, contact, notes, created_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const find = sql('sdk_customers.find', 'SELECT * FROM sdk_customers WHERE id = $1');
const findByDetails = sql(
  'sdk_customers.find_by_details',
  'SELECT * FROM sdk_customers WHERE email IS NOT DISTINCT FROM $1 AND contact IS NOT DISTINCT FROM $2',
);

/** Returns whether the customer was new: no other customer has these details. */
export async function insertCustomer(tx: Tx, row: SdkCustomerRow): Promise<boolean> {
  const facts = [row.id, row.name, row.email, row.contact, JSON.stringify(row.notes), row.created_at];
  return (await tx.query(insert, facts)).length === 1;
}

export async function findCustomer(db: Queryable, id: string): Promise<SdkCustomerRow | null> {
  return (await db.query<SdkCustomerRow>(find, [id]))[0] ?? null;
}

export async function customerOf(
  db: Queryable,
  { email, contact }: Pick<SdkCustomerRow, 'email' | 'contact'>,
): Promise<SdkCustomerRow | null> {
  return (await db.query<SdkCustomerRow>(findByDetails, [email, contact]))[0] ?? null;
}

/** The customer as in Razorpay's responses. */
export function toCustomerObject({ created_at, ...row }: SdkCustomerRow) {
  const { id, name, email, contact, notes } = row;
  return {
    id,
    entity: 'customer',
    name,
    email,
    contact,
    gstin: null,
    notes,
    created_at: inSeconds(created_at),
  };
}
