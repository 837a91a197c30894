import { sql, type Queryable } from '@fundrail/persistence';
import type { PaymentRow } from './payment.tables.ts';

/** The increment of `payment_id_blocks`: the number of ids in a block. */
const BLOCK = 100;
const NEXT_BLOCK = sql('payment_id_blocks.next', "SELECT nextval('payment_id_blocks') AS first");

/** Draws a block of unused payment ids. */
export async function nextBlock(db: Queryable): Promise<{ readonly first: number; readonly count: number }> {
  const [row] = await db.query<{ first: number }>(NEXT_BLOCK);
  if (!row) throw new Error('the sequence of payment ids returned no row');
  return { first: row.first, count: BLOCK };
}

interface PaymentId {
  readonly id: number;
  readonly kind: 'payment' | 'void';
}

// The update changes nothing: it waits for a creation under way and returns the row as it is then. The ids are sorted, so that two
// calls cannot deadlock.
const VOID_UNLESS_CREATED = sql(
  'payment_ids.void_unless_made',
  `INSERT INTO payment_ids (id, kind) SELECT id, 'void' FROM unnest($1::bigint[]) AS asked(id) ORDER BY id
   ON CONFLICT (id) DO UPDATE SET kind = payment_ids.kind
   RETURNING id, kind`,
);

/** Makes each id without a payment void: no payment can be created under it afterwards (CLAIM-8). */
export function voidUnlessCreated(db: Queryable, ids: readonly number[]): Promise<PaymentId[]> {
  return db.query<PaymentId>(VOID_UNLESS_CREATED, [[...new Set(ids)]]);
}

const HOLDERS = sql(
  'payment_ids.holders',
  `SELECT i.id, i.kind, p.status FROM payment_ids i LEFT JOIN payments p ON p.id = i.id WHERE i.id = ANY($1)`,
);

/** A payment id that holds orders; `status` is null when the id is void. */
export type Holder = PaymentId & { readonly status: PaymentRow['status'] | null };

/** The given ids that are payments or void. An id that is missing in the result may still become a payment. */
export function holdersOf(db: Queryable, ids: readonly number[]): Promise<Holder[]> {
  return db.query(HOLDERS, [ids]);
}
