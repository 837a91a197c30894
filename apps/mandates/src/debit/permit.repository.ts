import type { ClosePermit, TakePermit } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/service-kit/db';
import type { Mandate } from '../mandate/mandate.ts';

const isOpen = sql(
  'mandate_permits.is_open',
  `SELECT FROM mandate_permits WHERE tenant = $1 AND payment_id = $2 AND step = $3 AND attempt = $4 AND closed_at IS NULL`,
);
const grant = sql(
  'mandate_permits.grant',
  `INSERT INTO mandate_permits (tenant, payment_id, step, attempt, mandate_id, granted_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (payment_id, step, attempt) DO UPDATE SET closed_at = NULL`,
);
const close = sql(
  'mandate_permits.close',
  `UPDATE mandate_permits SET closed_at = $5
    WHERE tenant = $1 AND payment_id = $2 AND step = $3 AND attempt = $4 AND closed_at IS NULL RETURNING payment_id`,
);
const closeAll = sql(
  'mandate_permits.close_all',
  'UPDATE mandate_permits SET closed_at = $3 WHERE tenant = $1 AND payment_id = $2 AND closed_at IS NULL',
);
const inFlight = sql(
  'mandate_permits.in_flight',
  `SELECT DISTINCT payment_id FROM mandate_permits
    WHERE tenant = $1 AND mandate_id = $2 AND step = 'execute' AND closed_at IS NULL ORDER BY payment_id`,
);

/** Whether that very permit was granted and its call's outcome is not recorded yet. */
export async function isPermitOpen(
  tx: Tx,
  { tenant, payment_id, step, attempt }: ClosePermit,
): Promise<boolean> {
  return (await tx.query(isOpen, [tenant, payment_id, step, attempt])).length === 1;
}

/** Writes a permit, or opens it again. */
export async function openPermit(tx: Tx, permit: TakePermit): Promise<void> {
  const { tenant, payment_id, step, attempt, mandate_id } = permit;
  await tx.query(grant, [tenant, payment_id, step, attempt, mandate_id, tx.now]);
}

/** Answers whether it was open. */
export async function closeOnePermit(
  db: Queryable,
  { tenant, payment_id, step, attempt }: ClosePermit,
  at: Date,
): Promise<boolean> {
  return (await db.query(close, [tenant, payment_id, step, attempt, at])).length === 1;
}

export async function closeAllPermits(tx: Tx, tenant: string, paymentId: number): Promise<void> {
  await tx.query(closeAll, [tenant, paymentId, tx.now]);
}

/** The payments whose debit may be on its way to the bank: their call was permitted, and its outcome is not recorded. */
export async function debitsInFlight(tx: Tx, { tenant, id }: Mandate): Promise<number[]> {
  const rows = await tx.query<{ payment_id: number }>(inFlight, [tenant, id]);
  return rows.map((row) => row.payment_id);
}
