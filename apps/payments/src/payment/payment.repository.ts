import type { PaymentFacts } from '@fundrail/contracts';
import {
  insertRow,
  parameters,
  readChildren,
  saveRows,
  sql,
  valuesOf,
  type Queryable,
  type Tx,
} from '@fundrail/persistence';
import { byOrder, STATES_OF_PAYMENTS } from './order-state.repository.ts';
import type { OrderStates } from './orders-of-payment.ts';
import { CAPTURES, PAYMENT_ORDERS, PAYMENTS, REFUNDS } from './payment.tables.ts';
import type { CaptureRow, PaymentRow, RefundRow } from './payment.tables.ts';
import type { Payment } from './payment.ts';

const FIND = sql('payments.find', 'SELECT * FROM payments WHERE tenant = $1 AND id = $2');
const LOCK = sql('payments.lock', 'SELECT * FROM payments WHERE tenant = $1 AND id = $2 FOR UPDATE');
const TENANT_OF = sql('payments.tenant_of', 'SELECT tenant FROM payments WHERE id = $1');
const FACTS_OF = sql('payments.facts_of', 'SELECT id, tenant, status FROM payments WHERE id = $1');
const CHILDREN = {
  orders: { table: PAYMENT_ORDERS, by: 'payment_id, old_id' },
  refunds: { table: REFUNDS, by: 'payment_id, number' },
  captures: { table: CAPTURES, by: 'captured_at' },
} as const;
const childrenOf = readChildren('payments.children', 'payment_id', CHILDREN);
/** The children of a payment, with what else decisions about it read. */
export const DECIDED_BY = {
  ...CHILDREN,
  states: { table: STATES_OF_PAYMENTS, by: 'old_id' },
} as const;
const decidedBy = readChildren('payments.decided_by', 'payment_id', DECIDED_BY);

/** A payment whose row is locked, and the states of its orders in the projection, which may lag behind. */
export interface Locked<Of extends Payment> {
  readonly payment: Of;
  readonly states: OrderStates;
}

/** The payment with its shares, refunds and captures, or null when this tenant has none under that id. */
export async function findPayment(db: Queryable, tenant: string, id: number): Promise<Payment | null> {
  const row = await findRow(db, tenant, id);
  return row && { ...row, ...(await childrenOf(db, [tenant], [id]))(id) };
}

/** The payment's own row. */
export async function findRow(db: Queryable, tenant: string, id: number): Promise<PaymentRow | null> {
  return (await db.query<PaymentRow>(FIND, [tenant, id]))[0] ?? null;
}

/** Like `findPayment`, with the row locked until the transaction ends. Each change of a payment starts here. */
export async function lockPayment(tx: Tx, tenant: string, id: number): Promise<Locked<Payment> | null> {
  // One round trip. The server reads the children once it has the lock.
  const [row, children] = await Promise.all([lockRow(tx, tenant, id), decidedBy(tx, [tenant], [id])]);
  if (!row) return null;
  const { states, ...own } = children(id);
  return { payment: { ...row, ...own }, states: byOrder(states) };
}

/** Locks the payment's own row until the transaction ends. */
export async function lockRow(tx: Tx, tenant: string, id: number): Promise<PaymentRow | null> {
  return (await tx.query<PaymentRow>(LOCK, [tenant, id]))[0] ?? null;
}

/** The tenant of the payment: providers know our reference, not our tenants. */
export async function tenantOfPayment(db: Queryable, id: number): Promise<string | null> {
  const [row] = await db.query<{ tenant: string }>(TENANT_OF, [id]);
  return row?.tenant ?? null;
}

/** Tenant and status of the payment, for other services, which know the id only. */
export async function factsOfPayment(db: Queryable, id: number): Promise<PaymentFacts | null> {
  return (await db.query<PaymentFacts>(FACTS_OF, [id]))[0] ?? null;
}

/** Adds shares, refunds and captures to rows of these tenants, and keeps the order of the rows. */
export async function withChildren(
  db: Queryable,
  tenants: readonly string[],
  rows: readonly PaymentRow[],
): Promise<Payment[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const children = await childrenOf(db, tenants, ids);
  return rows.map((row) => ({ ...row, ...children(row.id) }));
}

/** Writes the changed rows of those given, which the transaction must have locked. */
export const updatePayments = saveRows(PAYMENTS, 'id');

const FREE_SHARES = sql(
  'payment_orders.free',
  'UPDATE payment_orders SET live = false WHERE tenant = $1 AND payment_id = $2 AND old_id = ANY($3)',
);

/** Lets other payments pay these orders. */
export async function freeShares(
  tx: Tx,
  { tenant, id }: PaymentRow,
  oldIds: readonly number[],
): Promise<void> {
  if (oldIds.length > 0) await tx.query(FREE_SHARES, [tenant, id, oldIds]);
}

const CAPTURE_HOLDER = sql(
  'captures.holder',
  'SELECT payment_id FROM captures WHERE provider_name = $1 AND provider_reference = $2',
);

/** Whether this capture was already recorded for another payment. */
export async function isCaptureOfAnother(tx: Tx, row: CaptureRow): Promise<boolean> {
  const [held] = await tx.query<Pick<CaptureRow, 'payment_id'>>(CAPTURE_HOLDER, [
    row.provider_name,
    row.provider_reference,
  ]);
  return held !== undefined && held.payment_id !== row.payment_id;
}

export const addCapture = insertRow(CAPTURES);

const PUT_REFUND = sql(
  'refunds.put',
  `INSERT INTO refunds (${REFUNDS.inserted.join(', ')}) VALUES (${parameters(REFUNDS.inserted)})
   ON CONFLICT (reference) DO UPDATE SET ${REFUNDS.stepped.map((column) => `${column} = excluded.${column}`).join(', ')}`,
);

export async function putRefund(tx: Tx, row: RefundRow): Promise<void> {
  // As JSON text: pg would make a PostgreSQL array of it.
  const stored = { ...row, amc_order_ids: JSON.stringify(row.amc_order_ids) };
  await tx.query(PUT_REFUND, valuesOf(stored, REFUNDS.inserted));
}

const IGNORE_EVENT = sql(
  'provider_events.ignore',
  'UPDATE provider_events SET ignored_because = $3 WHERE provider_name = $1 AND event_id = $2',
);

/** Records why an event that was taken in this transaction changed nothing, so that such events can be counted. */
export async function ignoreProviderEvent(
  tx: Tx,
  provider: string,
  eventId: string,
  because: string,
): Promise<void> {
  await tx.query(IGNORE_EVENT, [provider, eventId, because]);
}

const TAKE_EVENT = sql(
  'provider_events.take',
  `INSERT INTO provider_events (provider_name, event_id, reference, received_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING RETURNING event_id`,
);

const TAKE_EVENT_OF = sql(
  'provider_events.take_of_payment',
  `WITH known AS (SELECT tenant FROM payments WHERE id = $5), taken AS (
     INSERT INTO provider_events (provider_name, event_id, reference, received_at) SELECT $1, $2, $3, $4 FROM known
     ON CONFLICT DO NOTHING RETURNING event_id)
   SELECT tenant, EXISTS (SELECT FROM taken) AS is_new FROM known`,
);

/**
 * Stores a provider's event about a payment. Returns the payment's tenant, because providers know our reference and not our tenants, and
 * whether the event was not applied before; null, and nothing is stored, when there is no such payment.
 */
export async function takePaymentEvent(
  tx: Tx,
  provider: string,
  event: { event_id: string; reference: string },
  id: number,
): Promise<{ readonly tenant: string; readonly is_new: boolean } | null> {
  const values = [provider, event.event_id, event.reference, tx.now, id];
  const [row] = await tx.query<{ tenant: string; is_new: boolean }>(TAKE_EVENT_OF, values);
  return row ?? null;
}

/** Stores a provider's event; false when it was applied before. */
export async function takeProviderEvent(
  tx: Tx,
  provider: string,
  event: { event_id: string; reference: string },
): Promise<boolean> {
  const rows = await tx.query(TAKE_EVENT, [provider, event.event_id, event.reference, tx.now]);
  return rows.length === 1;
}
