import type { RaisedDebit, RaiseDebitRequest } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

type Refusal = Extract<RaisedDebit, { outcome: 'refused' }>;

/** The debit that another service requested for an order: its payment id, and whether it was refused. `kind` is null while nothing is stored under the id. */
export interface OrderDebit {
  readonly payment_id: number;
  readonly refused_code: Refusal['code'] | null;
  readonly refused_message: string | null;
  readonly kind: 'payment' | 'void' | null;
}

type OrderKey = Pick<RaiseDebitRequest, 'tenant' | 'old_id'>;

const FIND = sql(
  'order_debits.find',
  `SELECT d.payment_id, d.refused_code, d.refused_message, i.kind
   FROM order_debits d LEFT JOIN payment_ids i ON i.id = d.payment_id WHERE d.tenant = $1 AND d.old_id = $2`,
);

export async function findOrderDebit(
  db: Queryable,
  { tenant, old_id }: OrderKey,
): Promise<OrderDebit | null> {
  const [row] = await db.query<OrderDebit>(FIND, [tenant, old_id]);
  return row ?? null;
}

const RESERVE = sql(
  'order_debits.reserve',
  `INSERT INTO order_debits (tenant, old_id, order_id, mandate_id, payment_id) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (tenant, old_id) DO NOTHING`,
);

/** Of two concurrent calls, the id of the first one is stored. */
export async function reserveOrderDebit(
  db: Queryable,
  { tenant, old_id, order_id, mandate_id }: RaiseDebitRequest,
  payment_id: number,
): Promise<void> {
  await db.query(RESERVE, [tenant, old_id, order_id, mandate_id, payment_id]);
}

const RENEW = sql(
  'order_debits.renew',
  `UPDATE order_debits SET payment_id = $4
   WHERE tenant = $1 AND old_id = $2 AND payment_id = $3 AND refused_code IS NULL
     AND EXISTS (SELECT FROM payment_ids WHERE id = $3 AND kind = 'void')`,
);

/** Replaces a void id. Compare-and-set: only one of two calls succeeds. */
export async function renewOrderDebit(
  db: Queryable,
  { tenant, old_id }: OrderKey,
  from: number,
  to: number,
): Promise<void> {
  await db.query(RENEW, [tenant, old_id, from, to]);
}

const REFUSE = sql(
  'order_debits.refuse',
  `WITH made AS (
     INSERT INTO payment_ids (id, kind) VALUES ($3, 'void') ON CONFLICT (id) DO UPDATE SET kind = payment_ids.kind
     RETURNING kind
   )
   UPDATE order_debits SET refused_code = $4, refused_message = $5
   WHERE tenant = $1 AND old_id = $2 AND payment_id = $3 AND refused_code IS NULL AND (SELECT kind FROM made) = 'void'`,
);

/** Stores the refusal, unless another call has created the payment. After that no payment can be created under the id. */
export async function refuseOrderDebit(
  db: Queryable,
  { tenant, old_id }: OrderKey,
  payment_id: number,
  { code, message }: Refusal,
): Promise<void> {
  await db.query(REFUSE, [tenant, old_id, payment_id, code, message]);
}
