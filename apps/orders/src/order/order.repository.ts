import type { EitherId } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { MF_ORDERS, type MfOrder } from './order.table.ts';

type Row = MfOrder;

const ALL = MF_ORDERS.names.join(', ');

const drawOldIds = sql(
  'mf_orders.draw_old_ids',
  `SELECT nextval('mf_orders_old_id_seq') AS old_id FROM generate_series(1, $1::int)`,
);
// Rows are always locked in the order of old_id, so that overlapping sets cannot deadlock (CLAIM-3).
const lockMany = sql(
  'mf_orders.lock_many',
  `SELECT ${ALL} FROM mf_orders WHERE tenant = $1 AND kind = $2 AND id = ANY($3) ORDER BY old_id FOR UPDATE`,
);
const lockNumbers = sql(
  'mf_orders.lock_numbers',
  `SELECT ${ALL} FROM mf_orders WHERE tenant = $1 AND kind = $2 AND old_id = ANY($3) ORDER BY old_id FOR UPDATE`,
);
const noteOwner = sql(
  'mf_orders.note_investor',
  `UPDATE mf_orders SET investor_profile = $3 WHERE tenant = $1 AND id = $2 AND investor_profile IS NULL`,
);
const markPaid = sql(
  'mf_orders.mark_collected',
  `UPDATE mf_orders SET collected_at = $3 WHERE tenant = $1 AND old_id = $2`,
);
const removePaid = sql(
  'mf_orders.forget_payment',
  `UPDATE mf_orders SET payment_id = NULL WHERE tenant = $1 AND old_id = $2`,
);
// The only read without a tenant: the gateway's callback contains our id, and the row contains the tenant.
const lockReference = sql(
  'mf_orders.lock_reference',
  `SELECT ${ALL} FROM mf_orders WHERE id = $1 FOR UPDATE`,
);
// The gateway's list contains our ids, of all tenants.
const findReferences = sql('mf_orders.find_references', `SELECT ${ALL} FROM mf_orders WHERE id = ANY($1)`);
const findMany = sql(
  'mf_orders.find_many',
  `SELECT ${ALL} FROM mf_orders WHERE tenant = $1 AND kind = $2 AND id = ANY($3)`,
);
const findById = sql(
  'mf_orders.find_by_id',
  `SELECT ${ALL} FROM mf_orders WHERE tenant = $1 AND kind = $2 AND id = $3`,
);
const findByOldId = sql(
  'mf_orders.find_by_old_id',
  `SELECT ${ALL} FROM mf_orders WHERE tenant = $1 AND kind = $2 AND old_id = $3`,
);
const markUnanswered = sql(
  'mf_orders.mark_unanswered',
  `UPDATE mf_orders SET unanswered_since = $3 WHERE tenant = $1 AND id = $2 AND unanswered_since IS NULL`,
);
const markAnswered = sql(
  'mf_orders.mark_answered',
  `UPDATE mf_orders SET unanswered_since = NULL WHERE tenant = $1 AND id = $2 AND unanswered_since IS NOT NULL`,
);
const markRetried = sql(
  'mf_orders.note_retry',
  `UPDATE mf_orders SET retried_at = $3 WHERE tenant = $1 AND id = $2`,
);

/** Draws `count` integer ids from the sequence that purchases and redemptions share. */
export async function drawOrderNumbers(tx: Queryable, count: number): Promise<number[]> {
  const rows = await tx.query<{ old_id: number }>(drawOldIds, [count]);
  return rows.map((row) => row.old_id);
}

/** Locks the tenant's orders with these ids. Ids that do not exist are left out. */
export function lockOrders(
  tx: Tx,
  tenant: string,
  kind: Row['kind'],
  ids: readonly string[],
): Promise<Row[]> {
  return tx.query<Row>(lockMany, [tenant, kind, ids]);
}

/** Locks the tenant's orders with these numbers, in that order. Numbers that do not exist are left out. */
export function lockOrderNumbers(
  tx: Tx,
  tenant: string,
  kind: Row['kind'],
  oldIds: readonly number[],
): Promise<Row[]> {
  return tx.query<Row>(lockNumbers, [tenant, kind, oldIds]);
}

/** Stores the owner of an order that had none. */
export async function noteInvestor(
  db: Queryable,
  tenant: string,
  id: string,
  profile: string,
): Promise<void> {
  await db.query(noteOwner, [tenant, id, profile]);
}

/** Records that another purchase was created from this one. This transaction has locked its row. */
export async function noteRetry(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx.query(markRetried, [tenant, id, tx.now]);
}

/** Records that the money of an installment has come. This transaction has locked its row. */
export async function markCollected(tx: Tx, tenant: string, oldId: number): Promise<void> {
  await tx.query(markPaid, [tenant, oldId, tx.now]);
}

/** Removes the payment that held the order and was never created, because payments refused it after its claim. */
export async function removePayment(tx: Tx, tenant: string, oldId: number): Promise<void> {
  await tx.query(removePaid, [tenant, oldId]);
}

/** Locks the order with this reference at the gateway (our id). Returns null when there is none. */
export async function lockByReference(tx: Tx, reference: string): Promise<Row | null> {
  const [row] = await tx.query<Row>(lockReference, [reference]);
  return row ?? null;
}

/** The orders with these references at the gateway (our ids), of all tenants. */
export function findByReferences(db: Queryable, references: readonly string[]): Promise<Row[]> {
  return db.query<Row>(findReferences, [references]);
}

/** Reads the tenant's orders with these ids, without a lock. */
export function findOrders(
  db: Queryable,
  tenant: string,
  kind: Row['kind'],
  ids: readonly string[],
): Promise<Row[]> {
  return db.query<Row>(findMany, [tenant, kind, ids]);
}

/** Reads one order of the tenant by either id. Returns null when there is none. */
export async function findOrder(
  db: Queryable,
  tenant: string,
  kind: Row['kind'],
  id: EitherId,
): Promise<Row | null> {
  const [row] =
    'id' in id
      ? await db.query<Row>(findById, [tenant, kind, id.id])
      : await db.query<Row>(findByOldId, [tenant, kind, id.oldId]);
  return row ?? null;
}

/** Records since when the gateway's answers about the order are not understood, or that the last one was. */
export async function markGatewayAnswer(
  db: Queryable,
  row: Row,
  understood: boolean,
  now: Date,
): Promise<void> {
  if (understood) await db.query(markAnswered, [row.tenant, row.id]);
  else await db.query(markUnanswered, [row.tenant, row.id, now]);
}
