import { OUTBOX_COLUMNS, outboxParameters, outboxValues, sql } from '@fundrail/messaging';
import type { NewEvent, Queryable } from '@fundrail/messaging';
import { completeKeySql, completionValues } from '@fundrail/service-kit/http';
import type { KeyCompletion } from '@fundrail/service-kit/http';
import type { OrderFact } from './order-state.repository.ts';
import { PROJECT_ORDERS } from './order-state.repository.ts';
import type { Payment } from './payment.ts';

/** Everything that one creation writes. */
export interface CreationRows {
  readonly payment: Payment;
  readonly orders: readonly OrderFact[];
  readonly event: NewEvent;
  readonly completion: KeyCompletion;
}

/** The constraints that tell why a creation was refused. */
export const ID_TAKEN = 'payment_ids_pkey';
export const SOURCE_REF_TAKEN = 'payments_source_ref';
export const ORDER_TAKEN = 'payment_orders_one_live';

/** The columns that a creation sets, with the type of each parameter. */
const TYPES = {
  id: 'bigint',
  tenant: 'text',
  payment_type: 'text',
  status: 'text',
  amount: 'numeric',
  debit_date: 'date',
  method: 'text',
  upi_type: 'text',
  upi_vpa: 'text',
  from_bank_account_id: 'bigint',
  provider_name: 'text',
  payment_postback_url: 'text',
  mandate_id: 'bigint',
  source_ref_id: 'text',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  event_seq: 'int',
} as const satisfies Partial<Record<keyof Payment, string>>;
type Column = keyof typeof TYPES;
const COLUMNS = Object.keys(TYPES) as Column[];
const ID = '$1::bigint';
const TENANT = '$2::text';
const parameter = (column: Column) => `$${COLUMNS.indexOf(column) + 1}::${TYPES[column]}`;
const SHARES_AT = COLUMNS.length + 1;
const EVENT_AT = SHARES_AT + 5;
const KEY_AT = EVENT_AT + 9;

/**
 * The creation of a payment: one statement, one round trip, one commit (architecture, rule 9). The projection's row lock
 * and its RETURNING decide here whether the URI is to be asked for at once: an order's event that commits first is seen,
 * and one that comes later waits and then sees the payment. An order that has ended meanwhile makes the same work due,
 * which then ends the payment. Everything hangs on `id_taken`, so that a void id is what a stalled request is told of.
 */
const CREATE = sql(
  'payments.create',
  `WITH id_taken AS (
     INSERT INTO payment_ids (id, kind) VALUES (${ID}, 'payment') RETURNING id
   ), payment AS (
     INSERT INTO payments (${COLUMNS.join(', ')}) SELECT ${COLUMNS.map(parameter).join(', ')} FROM id_taken
   ), given AS (
     SELECT o.* FROM id_taken, unnest($${SHARES_AT}::bigint[], $${SHARES_AT + 1}::text[], $${SHARES_AT + 2}::numeric[], $${SHARES_AT + 3}::text[],
       $${SHARES_AT + 4}::int[]) AS o(old_id, order_id, amount, state, sequence)
   ), shares AS (
     INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live)
     SELECT ${ID}, old_id, ${TENANT}, order_id, amount, true FROM given
   ), projected AS (
     INSERT INTO order_states (old_id, tenant, order_id, state, sequence)
     SELECT old_id, ${TENANT}, order_id, state, sequence FROM given ORDER BY old_id
     ${PROJECT_ORDERS}
     RETURNING state
   ), decided AS (
     SELECT bool_and(state IN ('submitted', 'successful')) OR bool_or(state IN ('failed', 'cancelled', 'reversed')) AS ready
     FROM projected
   ), announced AS (
     INSERT INTO outbox (${OUTBOX_COLUMNS}) VALUES (${outboxParameters(EVENT_AT)})
   ), scheduled AS (
     INSERT INTO due_work (kind, key, tenant, due_at)
     SELECT 'payment.expire', (${ID})::text, ${TENANT}, ${parameter('expires_at')}
     UNION ALL
     SELECT 'payment.issue_uri', (${ID})::text, ${TENANT}, ${parameter('created_at')} FROM decided WHERE ready
   )
   SELECT ready, ${completeKeySql(KEY_AT)} FROM decided`,
);

/**
 * Inserts the payment with everything that belongs to it. Rejects with a unique violation of `ID_TAKEN` (the id is void,
 * or has its payment already), `SOURCE_REF_TAKEN` or `ORDER_TAKEN`; then nothing is written.
 */
export async function insertCreated(
  db: Queryable,
  rows: CreationRows,
): Promise<{ readonly uriIsDue: boolean }> {
  const { payment, orders, event, completion } = rows;
  const amounts = new Map(payment.orders.map((share) => [share.old_id, share.amount]));
  const [answer] = await db.query<{ ready: boolean }>(CREATE, [
    ...COLUMNS.map((column) => payment[column]),
    orders.map((order) => order.old_id),
    orders.map((order) => order.order_id),
    orders.map((order) => amounts.get(order.old_id)?.toString()),
    orders.map((order) => order.state),
    orders.map((order) => order.sequence),
    ...outboxValues(event),
    ...completionValues(completion),
  ]);
  return { uriIsDue: answer?.ready ?? false };
}
