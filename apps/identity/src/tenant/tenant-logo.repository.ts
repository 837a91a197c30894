import type { TenantLogo } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import type { Logo } from './logo.ts';

const put = sql(
  'tenant_logos.put',
  `INSERT INTO tenant_logos (tenant, sha256, media_type, content) VALUES ($1, $2, $3, $4)
   ON CONFLICT (tenant) DO UPDATE SET sha256 = EXCLUDED.sha256, media_type = EXCLUDED.media_type, content = EXCLUDED.content`,
);
const drop = sql('tenant_logos.drop', 'DELETE FROM tenant_logos WHERE tenant = $1');
const find = sql(
  'tenant_logos.find',
  'SELECT media_type, content FROM tenant_logos WHERE tenant = $1 AND sha256 = $2',
);

/** Replaces the tenant's logo; null deletes it. The caller has locked the tenant, or created it. */
export async function putLogo(tx: Queryable, tenant: string, logo: Logo | null): Promise<void> {
  if (logo === null) await tx.query(drop, [tenant]);
  else await tx.query(put, [tenant, logo.sha256, logo.media_type, logo.content]);
}

/** The bytes of the tenant's logo; null if it has none or its hash is another. */
export async function findLogo(
  tx: Queryable,
  tenant: string,
  sha256: string,
): Promise<{ readonly media_type: TenantLogo['media_type']; readonly content: Buffer } | null> {
  const [row] = await tx.query<{ media_type: TenantLogo['media_type']; content: Buffer }>(find, [
    tenant,
    sha256,
  ]);
  return row ?? null;
}
