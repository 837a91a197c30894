import type { ClosePermit, TakePermit } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { Mandate } from '../mandate/mandate.ts';

const whichOpen = sql(
  'mandate_permits.which_open',
  `SELECT tenant, payment_id, step, attempt FROM mandate_permits
    WHERE payment_id = ANY ($2) AND tenant = ANY ($1) AND closed_at IS NULL ORDER BY payment_id, step, attempt`,
);
const grant = sql(
  'mandate_permits.grant',
  `INSERT INTO mandate_permits (tenant, payment_id, step, attempt, mandate_id, granted_at)
   SELECT tenant, payment_id, step, attempt, mandate_id, $6
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::bigint[])
       AS asked (tenant, payment_id, step, attempt, mandate_id)
    ORDER BY payment_id, step, attempt
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

type PermitKey = Pick<ClosePermit, 'tenant' | 'payment_id' | 'step' | 'attempt'>;

/** A key for the permit. */
export function permitName({ tenant, payment_id, step, attempt }: PermitKey): string {
  return `${payment_id} ${step} ${attempt} ${tenant}`;
}

/** The keys of all open permits of these payments: granted, with an outcome that is not recorded yet. */
export async function openPermitsOf(tx: Tx, asked: readonly PermitKey[]): Promise<ReadonlySet<string>> {
  const tenants = [...new Set(asked.map(({ tenant }) => tenant))];
  const rows = await tx.query<PermitKey>(whichOpen, [tenants, asked.map(({ payment_id }) => payment_id)]);
  return new Set(rows.map(permitName));
}

/** Writes permits, or opens them again. */
export async function openPermits(tx: Tx, permits: readonly TakePermit[]): Promise<void> {
  if (permits.length === 0) return;
  const mandates = permits.map(({ mandate_id }) => mandate_id);
  await tx.query(grant, [
    permits.map(({ tenant }) => tenant),
    permits.map(({ payment_id }) => payment_id),
    permits.map(({ step }) => step),
    permits.map(({ attempt }) => attempt),
    mandates,
    tx.now,
  ]);
}

/** Returns whether it was open. */
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
