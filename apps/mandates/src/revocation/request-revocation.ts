import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { MANDATE_DUE } from '../mandate/mandate.ts';
import type { Mandate, ProviderNames } from '../mandate/mandate.ts';
import { insertRevocation, type RevocationReason } from './revocation.repository.ts';

/** Records the intent to end a mandate at its provider, in the transaction of its cause. The due worker makes the call. */
export async function requestRevocation(
  tx: Tx,
  mandate: Mandate,
  { mandate_token, umrn, provider_id }: ProviderNames,
  reason: RevocationReason,
): Promise<void> {
  if (mandate_token === null) throw new Error(`mandate ${mandate.id} has no token to revoke`);
  const id = await insertRevocation(tx, mandate, { mandate_token, umrn, provider_id }, reason);
  if (id === null) return;
  const work = { kind: MANDATE_DUE.revoke, key: String(id), tenant: mandate.tenant, due_at: tx.now };
  await scheduleDue(tx, work);
}
