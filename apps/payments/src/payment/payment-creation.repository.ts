import { sql, type Queryable } from '@fundrail/persistence';
import { OUTBOX_COLUMNS, OUTBOX_TYPES, outboxValues } from '@fundrail/messaging';
import type { NewEvent } from '@fundrail/messaging';
import { completionValues, KEY_TYPES } from '@fundrail/service-kit/http';
import type { KeyCompletion } from '@fundrail/service-kit/http';
import type { OrderFact } from './order-state.repository.ts';
import { PROJECT_ORDERS } from './order-state.repository.ts';
import { CREATION_LIMIT_MS } from './payment.ts';
import type { Payment } from './payment.ts';

/** The rows of one creation. */
export interface CreationRows {
  readonly payment: Payment;
  readonly orders: readonly OrderFact[];
  readonly event: NewEvent;
  readonly completion: KeyCompletion;
}

/** The constraints that show why a creation was refused. */
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
  token_expires_at: 'timestamptz',
  sdk_options_offered: 'boolean',
  bank_code: 'text',
  mf_investment_account: 'text',
} as const satisfies Partial<Record<keyof Payment, string>>;
type Column = keyof typeof TYPES;
const COLUMNS = Object.keys(TYPES) as Column[];
const SHARES_AT = COLUMNS.length + 1;
const SHARE_TYPES = ['bigint', 'bigint', 'text', 'numeric', 'text', 'int', 'text', 'text'] as const;
const EVENTS_AT = SHARES_AT + SHARE_TYPES.length;
const KEYS_AT = EVENTS_AT + OUTBOX_TYPES.length;
const arrays = (first: number, types: readonly string[]) =>
  types.map((type, index) => `$${first + index}::${type}[]`).join(', ');

/**
 * Creates payments: one statement, one round trip and one commit for all that arrived together (DATA-3). The lock on the
 * projection's rows decides whether the URI or the collect request is due immediately: an order's event that commits first is
 * seen here, and a later one waits and then sees the payment. If an order has ended meanwhile, the same work is due and ends the
 * payment. Everything depends on `id_taken`, so a request that stalled until its id became void fails on that constraint.
 */
const CREATE = sql(
  'payments.create',
  `WITH asked AS MATERIALIZED (
     SELECT * FROM unnest(${arrays(1, Object.values(TYPES))}) AS a (${COLUMNS.join(', ')})
   ), id_taken AS (
     INSERT INTO payment_ids (id, kind) SELECT id, 'payment' FROM asked ORDER BY id RETURNING id
   ), payment AS (
     INSERT INTO payments (${COLUMNS.join(', ')}) SELECT ${COLUMNS.join(', ')} FROM asked JOIN id_taken USING (id)
   ), given AS (
     SELECT o.*, asked.tenant
     FROM unnest(${arrays(SHARES_AT, SHARE_TYPES)})
       AS o (id, old_id, order_id, amount, state, sequence, scheme, display_name) JOIN id_taken USING (id) JOIN asked USING (id)
   ), shares AS (
     INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live, scheme, display_name)
     SELECT id, old_id, tenant, order_id, amount, true, scheme, display_name FROM given
   ), projected AS (
     INSERT INTO order_states (old_id, tenant, order_id, state, sequence)
     SELECT old_id, tenant, order_id, state, sequence FROM given ORDER BY old_id
     ${PROJECT_ORDERS}
     RETURNING old_id, state
   ), decided AS (
     SELECT given.id, bool_and(projected.state IN ('submitted', 'successful')
         OR projected.state = 'confirmed' AND starts_with(given.order_id, 'mfrd_'))
       OR bool_or(projected.state IN ('failed', 'cancelled', 'reversed')) AS ready
     FROM given JOIN projected USING (old_id) GROUP BY given.id
   ), announced AS (
     INSERT INTO outbox (${OUTBOX_COLUMNS})
     SELECT * FROM unnest(${arrays(EVENTS_AT, OUTBOX_TYPES)})
   ), scheduled AS (
     INSERT INTO due_work (kind, key, tenant, due_at)
     SELECT 'payment.expire', id::text, tenant,
       CASE WHEN sdk_options_offered THEN created_at + interval '${CREATION_LIMIT_MS} ms' ELSE expires_at END
     FROM asked WHERE expires_at IS NOT NULL
     UNION ALL
     SELECT CASE upi_type WHEN 'uri' THEN 'payment.issue_uri' ELSE 'payment.send_collect' END, id::text, tenant, created_at
     FROM asked JOIN decided USING (id) WHERE ready AND upi_type IS NOT NULL
   )
   SELECT id, ready, complete_idempotency_key(k.tenant, k.key, k.holder, k.status, k.body)
   FROM decided JOIN unnest($1::bigint[], ${arrays(KEYS_AT, KEY_TYPES)}) AS k (id, tenant, key, holder, status, body) USING (id)`,
);

/**
 * Inserts payments with all their rows, all or none. Returns the ids whose orders are ready.
 * Rejects with a unique violation of `ID_TAKEN` (the id is void or has a payment already), `SOURCE_REF_TAKEN` or `ORDER_TAKEN`,
 * and with FR001 when another request took over an Idempotency-Key; then nothing is written.
 */
export async function insertCreated(
  db: Queryable,
  creations: readonly CreationRows[],
): Promise<ReadonlySet<number>> {
  const shares = creations.flatMap(sharesOf);
  const answers = await db.query<{ id: number; ready: boolean }>(CREATE, [
    ...COLUMNS.map((column) => creations.map(({ payment }) => payment[column])),
    ...columnsOf(shares, SHARE_TYPES.length),
    ...columnsOf(
      creations.map(({ event }) => outboxValues(event)),
      OUTBOX_TYPES.length,
    ),
    ...columnsOf(
      creations.map(({ completion }) => completionValues(completion)),
      KEY_TYPES.length,
    ),
  ]);
  return new Set(answers.filter(({ ready }) => ready).map(({ id }) => id));
}

function sharesOf({ payment, orders }: CreationRows): unknown[][] {
  const shares = new Map(payment.orders.map((share) => [share.old_id, share]));
  return orders.map(({ old_id, order_id, state, sequence }) => {
    const share = shares.get(old_id);
    const shown = [share?.scheme, share?.display_name];
    return [payment.id, old_id, order_id, share?.amount, state, sequence, ...shown];
  });
}

/** Turns rows into one array per column, as `unnest` needs them. */
function columnsOf(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column]));
}
