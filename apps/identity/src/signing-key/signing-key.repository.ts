import { sql, type Queryable } from '@fundrail/persistence';
import type { SigningKeyRow } from './signing-key.entity.ts';

// Any fixed number: two replicas that find a key due create one.
const lock = sql('signing_keys.lock', 'SELECT pg_advisory_xact_lock(7266101)');
const list = sql('signing_keys.list', 'SELECT * FROM signing_keys ORDER BY active_from');
const insert = sql(
  'signing_keys.insert',
  `INSERT INTO signing_keys (kid, algorithm, public_jwk, private_jwk_encrypted, published_at, active_from)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
const remove = sql('signing_keys.remove', 'DELETE FROM signing_keys WHERE kid = ANY($1)');

/** Held until the transaction ends. */
export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx.query(lock);
}

/** Every key that is published, the oldest first. */
export async function listSigningKeys(tx: Queryable): Promise<SigningKeyRow[]> {
  return tx.query<SigningKeyRow>(list);
}

export async function insertSigningKey(tx: Queryable, row: SigningKeyRow): Promise<void> {
  const jwk = JSON.stringify(row.public_jwk);
  await tx.query(insert, [
    row.kid,
    row.algorithm,
    jwk,
    row.private_jwk_encrypted,
    row.published_at,
    row.active_from,
  ]);
}

export async function removeSigningKeys(tx: Queryable, kids: readonly string[]): Promise<void> {
  if (kids.length > 0) await tx.query(remove, [kids]);
}
