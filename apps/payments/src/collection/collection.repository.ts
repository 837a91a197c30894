import type { Decimal } from '@fundrail/contracts';
import { eventsOf, OUTBOX_COLUMNS, OUTBOX_TYPES, outboxValues, type NewEvent } from '@fundrail/messaging';
import {
  arrayParameters,
  columnArrays,
  readChildren,
  saveRow,
  sql,
  type Queryable,
  type Tx,
} from '@fundrail/persistence';
import { completionValues, KEY_TYPES, type KeyCompletion } from '@fundrail/service-kit/http';
import type { Claimed } from '../payment/claims.ts';
import { byOrder, ORDER_STATES, PROJECT_ORDERS, type OrderFact } from '../payment/order-state.repository.ts';
import { DECIDED_BY, findRow, lockRow, type Locked } from '../payment/payment.repository.ts';
import { PAYMENT_ORDERS, PAYMENTS, type PaymentRow } from '../payment/payment.tables.ts';
import { toPayment, type Payment } from '../payment/payment.ts';
import { AUTHORISATIONS, CHECKOUTS, UPI_REQUESTS } from './collection.tables.ts';
import { checkoutOf, isUnanswered, upiOf, type Collection, type NewCollection } from './collection.ts';

const rowsOf = readChildren('collections.rows', 'payment_id', {
  ...DECIDED_BY,
  upi: { table: UPI_REQUESTS, by: 'payment_id' },
  checkout: { table: CHECKOUTS, by: 'payment_id' },
  authorisation: { table: AUTHORISATIONS, by: 'payment_id' },
});

/** The payment and how its money is asked for; null when this tenant has none under that id. */
export async function findCollection(db: Queryable, tenant: string, id: number): Promise<Collection | null> {
  const row = await findRow(db, tenant, id);
  return row && collectionOf(db, row);
}

/** The payment of this row and how its money is asked for. Throws when a row is missing. */
export async function collectionOf(db: Queryable, row: PaymentRow): Promise<Collection> {
  const rows = await rowsOf(db, [row.tenant], [row.id]);
  return collectionFrom(row, rows(row.id)).payment;
}

/** The same under the payment's lock, like `lockPayment`. */
export async function lockCollection(tx: Tx, tenant: string, id: number): Promise<Locked<Collection> | null> {
  const [row, rows] = await Promise.all([lockRow(tx, tenant, id), rowsOf(tx, [tenant], [id])]);
  return row && collectionFrom(row, rows(id));
}

type Rows = ReturnType<Awaited<ReturnType<typeof rowsOf>>>;

function collectionFrom(row: PaymentRow, rows: Rows): Locked<Collection> {
  const { states, upi, checkout, authorisation, ...children } = rows;
  const isDebit = row.payment_type === 'NACH';
  const [request = null] = row.upi === null ? checkout : upi;
  if (!request && !isDebit) throw new Error(`payment ${row.id} has no request`);
  const payment = { ...row, ...children, request, authorisation: authorisation[0] ?? null };
  return { payment, states: byOrder(states) };
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

// What matches the index payments_upi_of_account.
const UPI_OF_ACCOUNT = `SELECT id, amount, method, debit_confirmed_at FROM payments
  WHERE tenant = $1 AND from_bank_account_id = $2 AND id <> $3
    AND payment_type = 'NETBANKING' AND method IS DISTINCT FROM 'NETBANKING' AND failed_at IS NULL`;
// What was confirmed counts by the way that its provider reported, or else by the attempt that ran last. What is live counts when the payer
// has a URI or a collect request; a QR code on the page can be paid until its time is over, whatever else was chosen.
const PAID_BY_UPI = sql(
  'payments.paid_by_upi',
  `SELECT coalesce(sum(amount), 0) AS total
   FROM (${UPI_OF_ACCOUNT} AND debit_confirmed_at > $4 UNION ALL ${UPI_OF_ACCOUNT} AND debit_confirmed_at IS NULL) AS p
   WHERE CASE
     WHEN debit_confirmed_at IS NOT NULL THEN coalesce(
       (SELECT by_upi FROM captures WHERE payment_id = p.id ORDER BY captured_at LIMIT 1),
       method = 'UPI',
       (SELECT way <> 'netbanking' FROM checkout_attempts WHERE payment_id = p.id
        ORDER BY failure_code IS NULL AND laid_aside_at IS NULL DESC, number DESC LIMIT 1))
     WHEN method = 'UPI' THEN EXISTS (SELECT FROM upi_requests WHERE payment_id = p.id AND sent_at IS NOT NULL)
     ELSE EXISTS (SELECT FROM checkout_attempts WHERE payment_id = p.id AND failure_code IS NULL
       AND (way = 'intent' AND address IS NOT NULL AND started_at > $5 OR way = 'collect' AND laid_aside_at IS NULL))
   END`,
);

/** Since when payments count that were confirmed, and QR codes that can still be paid. */
interface Counted {
  readonly paid_since: Date;
  readonly shown_since: Date;
}

/** What the account of this payment has paid by UPI, and is asked for now, without the payment itself (FLOW-14). */
export async function paidByUpi(
  db: Queryable,
  { tenant, from_bank_account_id, id }: Pick<Payment, 'tenant' | 'from_bank_account_id' | 'id'>,
  { paid_since, shown_since }: Counted,
): Promise<Decimal> {
  const asked = [tenant, from_bank_account_id, id, paid_since, shown_since];
  const [row] = await db.query<{ total: Decimal }>(PAID_BY_UPI, asked);
  if (!row) throw new Error('a sum has a row');
  return row.total;
}

/**
 * How long a creation may take until its provider's answer is recorded: as long as a request that died holds its key (IDEM-9),
 * which is several times the timeout of its calls.
 */
export const CREATION_LIMIT_MS = 60_000;

export interface CreatedRows {
  readonly payment: Collection;
  readonly orders: readonly OrderFact[];
  readonly event: NewEvent;
  readonly completion: KeyCompletion;
  /** When `payment.expire` is due; null for a debit, which does not expire. */
  readonly expire_at: Date | null;
}

/** The rows of a creation: the payment, the states of its claimed orders, its one event, and the answer that completes the key. */
export function createdRows(
  { step, request, authorisation }: NewCollection,
  claimed: Claimed['orders'],
  completion: KeyCompletion,
  now: Date,
): CreatedRows {
  const payment = { ...step.row, request, authorisation };
  const about = { before: null, aggregateId: String(payment.id), toObject: toPayment, now };
  const [event] = eventsOf({ decision: step, ...about });
  if (!event) throw new Error('a creation must have one event');
  const orders = claimed.map(({ id: order_id, old_id, state, sequence }) => ({
    ...{ tenant: payment.tenant, old_id, order_id, state, sequence },
  }));
  // A creation whose request died is given up before the payment would expire.
  const limit = isUnanswered(payment) ? new Date(now.getTime() + CREATION_LIMIT_MS) : null;
  return { payment, orders, event, completion, expire_at: limit ?? request?.expires_at ?? null };
}

const COLUMNS = PAYMENTS.inserted.join(', ');
/** The columns of a share with the last state of its order. */
const SHARE = { columns: { ...ORDER_STATES.columns, ...PAYMENT_ORDERS.columns, id: PAYMENTS.columns.id } };
const SHARE_COLUMNS = [
  'id',
  'old_id',
  'order_id',
  'amount',
  'state',
  'sequence',
  'scheme',
  'scheme_category',
  'display_name',
] as const;
const SHARES_AT = PAYMENTS.inserted.length + 1;
const EVENTS_AT = SHARES_AT + SHARE_COLUMNS.length;
const KEYS_AT = EVENTS_AT + OUTBOX_TYPES.length;
const EXPIRIES_AT = KEYS_AT + KEY_TYPES.length;
const UPI_AT = EXPIRIES_AT + 1;
const CHECKOUTS_AT = UPI_AT + UPI_REQUESTS.inserted.length;
const AUTHORISATIONS_AT = CHECKOUTS_AT + CHECKOUTS.inserted.length;
type Declared<Name extends string> = Parameters<typeof arrayParameters<Name>>[0];
/** Inserts the given rows of a table beside the payments that were created. */
const insertBeside = <Name extends string>(
  {
    name,
    inserted,
    ...table
  }: Declared<Name> & { readonly name: string; readonly inserted: readonly Name[] },
  first: number,
) =>
  `INSERT INTO ${name} (${inserted.join(', ')}) SELECT ${inserted.map((column) => `a.${column}`).join(', ')}
     FROM unnest(${arrayParameters(table, inserted, first)}) AS a (${inserted.join(', ')})
     JOIN id_taken ON id_taken.id = a.payment_id`;
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
     SELECT * FROM unnest(${arrayParameters(PAYMENTS, PAYMENTS.inserted, 1)}) AS a (${COLUMNS})
   ), id_taken AS (
     INSERT INTO payment_ids (id, kind) SELECT id, 'payment' FROM asked ORDER BY id RETURNING id
   ), payment AS (
     INSERT INTO payments (${COLUMNS}) SELECT ${COLUMNS} FROM asked JOIN id_taken USING (id)
   ), given AS (
     SELECT o.*, asked.tenant
     FROM unnest(${arrayParameters(SHARE, SHARE_COLUMNS, SHARES_AT)})
       AS o (${SHARE_COLUMNS.join(', ')}) JOIN id_taken USING (id) JOIN asked USING (id)
   ), shares AS (
     INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live, scheme, scheme_category, display_name)
     SELECT id, old_id, tenant, order_id, amount, true, scheme, scheme_category, display_name FROM given
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
   ), upi AS (
     ${insertBeside(UPI_REQUESTS, UPI_AT)}
   ), checkout AS (
     ${insertBeside(CHECKOUTS, CHECKOUTS_AT)}
   ), authorisation AS (
     ${insertBeside(AUTHORISATIONS, AUTHORISATIONS_AT)}
   ), scheduled AS (
     INSERT INTO due_work (kind, key, tenant, due_at)
     SELECT 'payment.expire', id::text, tenant, expire_at
     FROM asked JOIN unnest($1::bigint[], $${EXPIRIES_AT}::timestamptz[]) AS e (id, expire_at) USING (id)
     WHERE expire_at IS NOT NULL
     UNION ALL
     SELECT CASE upi->>'type' WHEN 'uri' THEN 'payment.issue_uri' ELSE 'payment.send_collect' END, id::text, tenant, created_at
     FROM asked JOIN decided USING (id) WHERE ready AND upi IS NOT NULL
   )
   SELECT id, ready, complete_idempotency_key(k.tenant, k.key, k.holder, k.status, k.body)
   FROM decided JOIN unnest($1::bigint[], ${arrays(KEYS_AT, KEY_TYPES)}) AS k (id, tenant, key, holder, status, body) USING (id)`,
);

/**
 * Inserts payments with all their rows, all or none. Returns the ids whose orders are ready. Rejects with a unique violation when the id
 * is void or has a payment already, or its reference or an order is taken, and with FR001 when another request took over an
 * Idempotency-Key; then nothing is written.
 */
export async function insertCreated(
  db: Queryable,
  creations: readonly CreatedRows[],
): Promise<ReadonlySet<number>> {
  const answers = await db.query<{ id: number; ready: boolean }>(CREATE, [
    ...columnArrays(
      creations.map(({ payment }) => payment),
      PAYMENTS.inserted,
    ),
    ...columnArrays(creations.flatMap(sharesOf), SHARE_COLUMNS),
    ...columnArrays(
      creations.map(({ event }) => outboxValues(event)),
      [...OUTBOX_TYPES.keys()],
    ),
    ...columnArrays(
      creations.map(({ completion }) => completionValues(completion)),
      [...KEY_TYPES.keys()],
    ),
    creations.map(({ expire_at }) => expire_at),
    ...columnArrays(
      creations.flatMap(({ payment }) => upiOf(payment) ?? []),
      UPI_REQUESTS.inserted,
    ),
    ...columnArrays(
      creations.flatMap(({ payment }) => checkoutOf(payment) ?? []),
      CHECKOUTS.inserted,
    ),
    ...columnArrays(
      creations.flatMap(({ payment }) => payment.authorisation ?? []),
      AUTHORISATIONS.inserted,
    ),
  ]);
  return new Set(answers.filter(({ ready }) => ready).map(({ id }) => id));
}

function sharesOf({ payment, orders }: CreatedRows) {
  const shares = new Map(payment.orders.map((share) => [share.old_id, share]));
  return orders.map((order) => ({ ...shares.get(order.old_id), ...order, id: payment.id }));
}
