import type { ProviderName } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { Mandate, ProviderNames } from '../mandate/mandate.ts';

export type RevocationReason = 'cancelled' | 'surplus';

/** A row of `mandate_revocations`: a mandate that the provider has to end, until it confirms that. */
export interface Revocation extends Pick<Mandate, 'mandate_type' | 'provider_id' | 'umrn'> {
  readonly id: number;
  readonly mandate_id: number;
  readonly tenant: string;
  readonly reason: RevocationReason;
  readonly provider_name: ProviderName;
  readonly mandate_token: string;
  readonly revoked_at: Date | null;
}

const insert = sql(
  'mandate_revocations.insert',
  `INSERT INTO mandate_revocations
     (mandate_id, tenant, reason, provider_name, mandate_type, mandate_token, provider_id, umrn, requested_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (provider_name, mandate_token) DO NOTHING RETURNING id`,
);
const find = sql(
  'mandate_revocations.find',
  `SELECT id, mandate_id, tenant, reason, provider_name, mandate_type, mandate_token, provider_id, umrn, revoked_at
     FROM mandate_revocations WHERE tenant = $1 AND id = $2`,
);
const markDone = sql(
  'mandate_revocations.done',
  'UPDATE mandate_revocations SET revoked_at = $3 WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL',
);

/** Inserts a revocation and returns its id; null when that token is already revoked or being revoked. */
export async function insertRevocation(
  tx: Tx,
  mandate: Mandate,
  names: ProviderNames & { readonly mandate_token: string },
  reason: RevocationReason,
): Promise<number | null> {
  const { id, tenant, provider_name, mandate_type } = mandate;
  const named = [names.mandate_token, names.provider_id, names.umrn];
  const rows = await tx.query<{ id: number }>(insert, [
    id,
    tenant,
    reason,
    provider_name,
    mandate_type,
    ...named,
    tx.now,
  ]);
  return rows[0]?.id ?? null;
}

export async function findRevocation(db: Queryable, tenant: string, id: number): Promise<Revocation | null> {
  const [row] = await db.query<Revocation>(find, [tenant, id]);
  return row ?? null;
}

/** Records that the provider has ended the mandate. */
export async function markRevoked(db: Queryable, { tenant, id }: Revocation, at: Date): Promise<void> {
  await db.query(markDone, [tenant, id, at]);
}
