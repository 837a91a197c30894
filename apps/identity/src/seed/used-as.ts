import type { Queryable } from '@fundrail/persistence';
import type { UseEvidence } from '@fundrail/service-kit/db';
import { findClient } from '../client/client.repository.ts';
import { verifySecret } from '../client/client-secret.ts';
import { listTenants } from '../tenant/tenant.repository.ts';
import { SEED } from './seed.ts';
import { findSeed } from './seed.repository.ts';

/** Each client whose secret is public, with its tenant. */
const SEEDED_CLIENTS = [
  [SEED.tenant, SEED.admin],
  [SEED.tenant, SEED.client],
  [SEED.upstream, SEED.client],
] as const;

/** The use of the database that identity's rows prove: a sandbox by its first objects, production by tenants without them. */
export async function identityUsedAs(db: Queryable): Promise<UseEvidence | null> {
  if (await findSeed(db)) return { use: 'sandbox', because: 'its first clients were seeded' };
  // The seed's row can be deleted by hand, and its clients left behind.
  for (const [tenant, { client_id, client_secret }] of SEEDED_CLIENTS) {
    const client = await findClient(db, tenant, client_id);
    if (client && (await verifySecret(client_secret, client.secret_hash)))
      return { use: 'sandbox', because: `its client ${client_id} of ${tenant} has the public secret` };
  }
  return (await listTenants(db)).length > 0 ? { use: 'production', because: 'it has tenants' } : null;
}
