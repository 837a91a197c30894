import { sql } from '@fundrail/messaging';
import type { Queryable } from '@fundrail/messaging';
import type { PaymentRow } from './payment.entity.ts';

/** What `payment_id_blocks` counts on by: the ids of one block. */
const BLOCK = 100;
const NEXT_BLOCK = sql('payment_id_blocks.next', "SELECT nextval('payment_id_blocks') AS first");

/** Draws a block of payment ids that nobody else has. */
export async function nextBlock(db: Queryable): Promise<{ readonly first: number; readonly count: number }> {
  const [row] = await db.query<{ first: number }>(NEXT_BLOCK);
  if (!row) throw new Error('the sequence of payment ids gave nothing');
  return { first: row.first, count: BLOCK };
}

export interface PaymentId {
  readonly id: number;
  readonly kind: 'payment' | 'void';
}

// The update that changes nothing waits for a creation under way and answers the row as it is then; in one order, so that
// two calls cannot lock each other out.
const VOID_UNLESS_MADE = sql(
  'payment_ids.void_unless_made',
  `INSERT INTO payment_ids (id, kind) SELECT id, 'void' FROM unnest($1::bigint[]) AS asked(id) ORDER BY id
   ON CONFLICT (id) DO UPDATE SET kind = payment_ids.kind
   RETURNING id, kind`,
);

/** Writes `void` under every id that has no payment: from then on none can come to be under it (architecture §11). */
export function voidUnlessMade(db: Queryable, ids: readonly number[]): Promise<PaymentId[]> {
  return db.query<PaymentId>(VOID_UNLESS_MADE, [[...new Set(ids)]]);
}

const HOLDERS = sql(
  'payment_ids.holders',
  `SELECT i.id, i.kind, p.status FROM payment_ids i LEFT JOIN payments p ON p.id = i.id WHERE i.id = ANY($1)`,
);

/** A payment id that orders are claimed under; `status` is null when it is void. */
export type Holder = PaymentId & { readonly status: PaymentRow['status'] | null };

/** What is known here of payments that hold orders; an id that is missing may still become a payment. */
export function holdersOf(db: Queryable, ids: readonly number[]): Promise<Holder[]> {
  return db.query(HOLDERS, [ids]);
}
