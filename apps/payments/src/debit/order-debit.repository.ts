import type { RaisedDebit, RaiseDebitRequest } from '@fundrail/contracts';
import { columnArrays, sql, type Queryable } from '@fundrail/persistence';
import type { PaymentRow } from '../payment/payment.tables.ts';

type Refusal = Extract<RaisedDebit, { outcome: 'refused' }>;

/**
 * The debit that another service requested for an order: its payment id, and whether it was refused. `kind` is null while nothing is
 * stored under the id, and `status` while there is no payment.
 */
export interface OrderDebit {
  readonly payment_id: number;
  readonly refused_code: Refusal['code'] | null;
  readonly refused_message: string | null;
  readonly kind: 'payment' | 'void' | null;
  readonly status: PaymentRow['status'] | null;
}

type OrderKey = Pick<RaiseDebitRequest, 'tenant' | 'old_id'>;

const FIND = sql(
  'order_debits.find',
  `SELECT d.tenant, d.old_id, d.payment_id, d.refused_code, d.refused_message, i.kind, p.status
   FROM order_debits d LEFT JOIN payment_ids i ON i.id = d.payment_id
     LEFT JOIN payments p ON p.id = d.payment_id AND p.tenant = d.tenant
   WHERE d.tenant = ANY ($1) AND d.old_id = ANY ($2)`,
);

/** The debits of these orders, in their order; null where none was requested. */
export async function findOrderDebits(
  db: Queryable,
  orders: readonly OrderKey[],
): Promise<(OrderDebit | null)[]> {
  const tenants = [...new Set(orders.map(({ tenant }) => tenant))];
  const rows = await db.query<OrderDebit & OrderKey>(FIND, [tenants, orders.map(({ old_id }) => old_id)]);
  const nameOf = ({ tenant, old_id }: OrderKey) => `${old_id} ${tenant}`;
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return orders.map((order) => found.get(nameOf(order)) ?? null);
}

const RESERVED = ['tenant', 'old_id', 'order_id', 'mandate_id', 'payment_id'] as const;
// In the order of the key, so that two calls never deadlock.
const RESERVE = sql(
  'order_debits.reserve',
  `INSERT INTO order_debits (${RESERVED.join(', ')})
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) ORDER BY 1, 2
   ON CONFLICT (tenant, old_id) DO NOTHING`,
);

/** A request with the id that its payment is to have. */
export type Reservation = RaiseDebitRequest & Pick<OrderDebit, 'payment_id'>;

/** Of two concurrent calls for an order, the id of the first one is stored. */
export async function reserveOrderDebits(db: Queryable, reservations: readonly Reservation[]): Promise<void> {
  if (reservations.length > 0) await db.query(RESERVE, columnArrays(reservations, RESERVED));
}

const RENEWED = ['tenant', 'old_id', 'from', 'to'] as const;
// Locked in the order of the key, as above.
const RENEW = sql(
  'order_debits.renew',
  `WITH held AS (
     SELECT d.tenant, d.old_id, r.new_id
       FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS r (tenant, old_id, void_id, new_id)
       JOIN order_debits d ON d.tenant = r.tenant AND d.old_id = r.old_id AND d.payment_id = r.void_id
      WHERE d.refused_code IS NULL AND EXISTS (SELECT FROM payment_ids WHERE id = r.void_id AND kind = 'void')
      ORDER BY d.tenant, d.old_id FOR UPDATE OF d)
   UPDATE order_debits d SET payment_id = h.new_id FROM held h
    WHERE d.tenant = h.tenant AND d.old_id = h.old_id AND d.tenant = ANY ($1) AND d.old_id = ANY ($2)`,
);

/** A new id for an order's debit, in place of a void one. */
export interface Renewal extends OrderKey {
  readonly from: number;
  readonly to: number;
}

/** Replaces void ids. Compare-and-set: of two calls only one succeeds for an order. */
export async function renewOrderDebits(db: Queryable, renewals: readonly Renewal[]): Promise<void> {
  if (renewals.length > 0) await db.query(RENEW, columnArrays(renewals, RENEWED));
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
