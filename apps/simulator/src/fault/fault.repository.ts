import { sql, type Queryable } from '@fundrail/persistence';
import type { FaultKind, FaultRequest, Operation } from './fault.ts';

/** A fault that applies to the current call. */
export interface LiveFault {
  readonly kind: FaultKind;
  readonly delay_ms: number | null;
}

const insert = sql(
  'faults.insert',
  `INSERT INTO faults (tenant, target, operation, kind, delay_ms, remaining, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
);
// Oldest first. A call whose tenant is unknown (its object never arrived here) matches the fault of any tenant.
const take = sql(
  'faults.take',
  `UPDATE faults SET remaining = remaining - 1
    WHERE id = (SELECT id FROM faults
                 WHERE target = $3 AND operation = $1 AND remaining > 0 AND (tenant = $2 OR $2::text IS NULL)
                 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING kind, delay_ms`,
);
const tenantOf = sql(
  'faults.tenant_of',
  `SELECT tenant FROM gateway_orders WHERE reference = $1
   UNION ALL SELECT tenant FROM gateway_plans WHERE reference = $1
   UNION ALL SELECT tenant FROM provider_payments WHERE reference = $1
   UNION ALL SELECT tenant FROM transfers WHERE reference = $1
   UNION ALL SELECT tenant FROM refunds WHERE reference = $1
   UNION ALL SELECT tenant FROM sdk_orders WHERE id = $1
   UNION ALL SELECT tenant FROM sdk_payments WHERE id = $1
   UNION ALL SELECT tenant FROM provider_mandates WHERE token = $1
   UNION ALL SELECT tenant FROM provider_debits WHERE reference = $1
   UNION ALL SELECT tenant FROM debit_notices WHERE notice_reference = $1 LIMIT 1`,
);

export async function insertFault(
  tx: Queryable,
  tenant: string,
  { target, operation, kind, delay_ms = null, times }: FaultRequest,
  now: Date,
): Promise<number> {
  const values = [tenant, target, operation, kind, delay_ms, times, now];
  const [row] = await tx.query<{ id: number }>(insert, values);
  if (!row) throw new Error('the fault was not stored');
  return row.id;
}

/** Consumes one use of the oldest fault of that operation; null when there is none. */
export async function takeFault(
  db: Queryable,
  { target, operation }: Operation,
  tenant: string | null,
): Promise<LiveFault | null> {
  return (await db.query<LiveFault>(take, [operation, tenant, target]))[0] ?? null;
}

/** The tenant that owns the object with that reference; null when the reference is unknown. */
export async function tenantOfReference(db: Queryable, reference: string): Promise<string | null> {
  return (await db.query<{ tenant: string }>(tenantOf, [reference]))[0]?.tenant ?? null;
}
