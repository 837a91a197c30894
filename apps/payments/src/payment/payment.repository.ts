import type { PaymentFacts } from '@fundrail/contracts';
import { sql } from '@fundrail/messaging';
import type { Queryable, Statement, Tx } from '@fundrail/messaging';
import type { CaptureRow, PaymentRow, RefundRow, ShareRow } from './payment.entity.ts';
import type { Payment, Step } from './payment.ts';

const FIND = sql('payments.find', 'SELECT * FROM payments WHERE tenant = $1 AND id = $2');
const LOCK = sql('payments.lock', 'SELECT * FROM payments WHERE tenant = $1 AND id = $2 FOR UPDATE');
const TENANT_OF = sql('payments.tenant_of', 'SELECT tenant FROM payments WHERE id = $1');
const FACTS_OF = sql('payments.facts_of', 'SELECT id, tenant, status FROM payments WHERE id = $1');
const SHARES = sql(
  'payment_orders.of',
  'SELECT * FROM payment_orders WHERE tenant = $1 AND payment_id = ANY($2) ORDER BY payment_id, old_id',
);
const REFUNDS = sql(
  'refunds.of',
  'SELECT * FROM refunds WHERE tenant = $1 AND payment_id = ANY($2) ORDER BY payment_id, number',
);
const CAPTURES = sql(
  'captures.of',
  'SELECT * FROM captures WHERE tenant = $1 AND payment_id = ANY($2) ORDER BY captured_at',
);

/** The payment with what belongs to it, or null when this tenant has none under that id. */
export function findPayment(db: Queryable, tenant: string, id: number): Promise<Payment | null> {
  return load(db, FIND, tenant, id);
}

/** As `findPayment`, the row locked until the transaction ends: whoever changes a payment begins here. */
export function lockPayment(tx: Tx, tenant: string, id: number): Promise<Payment | null> {
  return load(tx, LOCK, tenant, id);
}

/** Whose payment it is: providers know our reference, not our tenants. */
export async function tenantOfPayment(db: Queryable, id: number): Promise<string | null> {
  const [row] = await db.query<{ tenant: string }>(TENANT_OF, [id]);
  return row?.tenant ?? null;
}

/** Whose payment it is and how it stands, for the neighbours: they know the id only. */
export async function factsOfPayment(db: Queryable, id: number): Promise<PaymentFacts | null> {
  return (await db.query<PaymentFacts>(FACTS_OF, [id]))[0] ?? null;
}

async function load(
  db: Queryable,
  statement: Statement,
  tenant: string,
  id: number,
): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(statement, [tenant, id]);
  const [payment] = await withChildren(db, tenant, rows);
  return payment ?? null;
}

/** Adds shares, refunds and captures to rows of one tenant, in their order. */
export async function withChildren(
  db: Queryable,
  tenant: string,
  rows: readonly PaymentRow[],
): Promise<Payment[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const shares = await db.query<ShareRow>(SHARES, [tenant, ids]);
  const refunds = await db.query<RefundRow>(REFUNDS, [tenant, ids]);
  const captures = await db.query<CaptureRow>(CAPTURES, [tenant, ids]);
  const of = <Row extends { payment_id: number }>(all: readonly Row[], id: number) =>
    all.filter((row) => row.payment_id === id);
  return rows.map((row) => ({
    ...row,
    orders: of(shares, row.id),
    refunds: of(refunds, row.id),
    captures: of(captures, row.id),
  }));
}

/** What a step may change; the rest of a payment stands from its creation on. */
const MUTABLE = [
  'status',
  'debit_date',
  'upi_uri',
  'failed_reason',
  'failure_code',
  'submitted_at',
  'debit_confirmed_at',
  'failed_at',
  'transfer_initiated_at',
  'settled_at',
  'rejected_at',
  'late_auth',
  'event_seq',
  'expires_at',
  'uri_requested_at',
  'ending',
  'provider_closed_at',
  'received_amount',
  'refunded_amount',
  'transfer_reference',
  'transfer_accepted_at',
  'collect_sent_at',
  'checkout_order_id',
  'checkout_customer_id',
  'mandate_fact',
  'token_used_at',
  'page_session_hash',
] as const satisfies readonly (keyof PaymentRow)[];

const UPDATE = sql(
  'payments.update',
  `UPDATE payments SET ${MUTABLE.map((column, index) => `${column} = $${index + 3}`).join(', ')} WHERE tenant = $1 AND id = $2`,
);

export async function updatePayment(tx: Tx, { tenant, id, ...row }: PaymentRow): Promise<void> {
  await tx.query(UPDATE, [tenant, id, ...MUTABLE.map((column) => row[column])]);
}

const FREE_SHARES = sql(
  'payment_orders.free',
  'UPDATE payment_orders SET live = false WHERE tenant = $1 AND payment_id = $2 AND old_id = ANY($3)',
);

/** These orders may be paid by another payment. */
export async function freeShares(
  tx: Tx,
  { tenant, id }: PaymentRow,
  oldIds: readonly number[],
): Promise<void> {
  if (oldIds.length > 0) await tx.query(FREE_SHARES, [tenant, id, oldIds]);
}

const ADD_CAPTURE = sql(
  'captures.add',
  `INSERT INTO captures (provider_name, provider_reference, tenant, payment_id, amount, currency, captured_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

const CAPTURE_HOLDER = sql(
  'captures.holder',
  'SELECT payment_id FROM captures WHERE provider_name = $1 AND provider_reference = $2',
);

/** Whether the provider has told of this capture for another payment before. */
export async function isCaptureOfAnother(tx: Tx, row: CaptureRow): Promise<boolean> {
  const [held] = await tx.query<Pick<CaptureRow, 'payment_id'>>(CAPTURE_HOLDER, [
    row.provider_name,
    row.provider_reference,
  ]);
  return held !== undefined && held.payment_id !== row.payment_id;
}

export async function addCapture(tx: Tx, row: CaptureRow): Promise<void> {
  const { provider_name, provider_reference, tenant, payment_id, amount, currency, captured_at } = row;
  await tx.query(ADD_CAPTURE, [
    provider_name,
    provider_reference,
    tenant,
    payment_id,
    amount,
    currency,
    captured_at,
  ]);
}

const PUT_REFUND = sql(
  'refunds.put',
  `INSERT INTO refunds (reference, tenant, payment_id, number, amount, reason, status, failure_code, attempt, accepted,
     returned_by, amc_order_ids, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   ON CONFLICT (reference) DO UPDATE
     SET status = excluded.status, failure_code = excluded.failure_code, accepted = excluded.accepted`,
);

export async function putRefund(tx: Tx, row: RefundRow): Promise<void> {
  const { reference, tenant, payment_id, number, amount, reason, status, failure_code } = row;
  const { attempt, accepted, returned_by, created_at } = row;
  const orders = JSON.stringify(row.amc_order_ids);
  const first = [reference, tenant, payment_id, number, amount, reason, status, failure_code];
  await tx.query(PUT_REFUND, [...first, attempt, accepted, returned_by, orders, created_at]);
}

const ADD_HISTORY = sql(
  'payment_history.add',
  `INSERT INTO payment_history (payment_id, tenant, trigger, from_status, to_status, event_seq, at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

/** One row a step. The creation has none: the payment's own row tells it. */
export async function addHistory(tx: Tx, { row, trigger, from }: Step): Promise<void> {
  await tx.query(ADD_HISTORY, [row.id, row.tenant, trigger, from, row.status, row.event_seq, tx.now]);
}

const TAKE_EVENT = sql(
  'provider_events.take',
  `INSERT INTO provider_events (provider_name, event_id, reference, received_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING RETURNING event_id`,
);

/** Writes a provider's event down; false when it has been applied before. */
export async function takeProviderEvent(
  tx: Tx,
  provider: string,
  event: { event_id: string; reference: string },
): Promise<boolean> {
  const rows = await tx.query(TAKE_EVENT, [provider, event.event_id, event.reference, tx.now]);
  return rows.length === 1;
}
