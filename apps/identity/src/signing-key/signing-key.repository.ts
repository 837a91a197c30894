import { insertRow, sql, type Queryable } from '@fundrail/persistence';
import { SIGNING_KEYS, type SigningKeyRow } from './signing-key.table.ts';

// Any fixed number: two replicas that find a key due create one.
const lock = sql('signing_keys.lock', 'SELECT pg_advisory_xact_lock(7266101)');
const list = sql('signing_keys.list', 'SELECT * FROM signing_keys ORDER BY active_from');
const remove = sql('signing_keys.remove', 'DELETE FROM signing_keys WHERE kid = ANY($1)');

/** Held until the transaction ends. */
export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx.query(lock);
}

/** Every key that is published, the oldest first. */
export async function listSigningKeys(tx: Queryable): Promise<SigningKeyRow[]> {
  return tx.query<SigningKeyRow>(list);
}

export const insertSigningKey = insertRow(SIGNING_KEYS);

export async function removeSigningKeys(tx: Queryable, kids: readonly string[]): Promise<void> {
  if (kids.length > 0) await tx.query(remove, [kids]);
}
