import type { EitherId, ProviderName } from '@fundrail/contracts';
import { nextOf, sql, type Queryable, type Statement, type Tx } from '@fundrail/persistence';
import { MANDATES } from './mandate.table.ts';
import type { Mandate } from './mandate.ts';

const ALL = MANDATES.names.join(', ');

const findById = sql('mandates.find_by_id', `SELECT ${ALL} FROM mandates WHERE tenant = $1 AND id = $2`);
const findByRef = sql(
  'mandates.find_by_ref',
  `SELECT ${ALL} FROM mandates WHERE tenant = $1 AND mandate_ref = $2`,
);
const findAll = sql(
  'mandates.find_all',
  `SELECT ${ALL} FROM mandates WHERE id = ANY ($2) AND tenant = ANY ($1)`,
);
const lockAll = sql(
  'mandates.lock_all',
  `SELECT ${ALL} FROM mandates WHERE id = ANY ($2) AND tenant = ANY ($1) ORDER BY id FOR UPDATE`,
);
// The only read without a tenant: providers know their own token, and the row contains the tenant.
const lockByToken = sql(
  'mandates.lock_by_token',
  `SELECT ${ALL} FROM mandates WHERE provider_name = $1 AND mandate_token = $2 FOR UPDATE`,
);
const countFact = sql(
  'mandates.count_fact',
  'UPDATE mandates SET facts_seq = facts_seq + 1 WHERE tenant = $1 AND id = $2',
);
const doubt = sql(
  'mandates.doubt',
  `UPDATE mandates SET doubted_at = coalesce(doubted_at, $3) WHERE tenant = $1 AND id = $2 AND mandate_status = 'APPROVED'`,
);
const confirm = sql(
  'mandates.confirm',
  'UPDATE mandates SET doubted_at = NULL WHERE tenant = $1 AND id = $2 AND doubted_at IS NOT NULL',
);
const claim = sql(
  'mandates.claim_authorisation',
  `UPDATE mandates SET authorising_payment = $3, authorising_since = $4, authorising_check_at = $5
    WHERE tenant = $1 AND id = $2`,
);
const release = sql(
  'mandates.release_authorisation',
  `UPDATE mandates SET authorising_payment = NULL, authorising_since = NULL, authorising_check_at = NULL
    WHERE tenant = $1 AND id = $2 AND authorising_payment = $3 RETURNING id`,
);

export const drawMandateId = nextOf('mandates_id_seq');

/** Reads one mandate of the tenant by its id or its `mandate_ref`. Returns null when there is none. */
export async function findMandate(db: Queryable, tenant: string, id: EitherId): Promise<Mandate | null> {
  const [row] =
    'id' in id
      ? await db.query<Mandate>(findByRef, [tenant, id.id])
      : await db.query<Mandate>(findById, [tenant, id.oldId]);
  return row ?? null;
}

interface MandateKey {
  readonly tenant: string;
  readonly id: number;
}

/** Locks many by their ids, in the order of the ids, so that two transactions never deadlock. */
export async function lockMandates(
  tx: Tx,
  keys: readonly MandateKey[],
): Promise<ReadonlyMap<number, Mandate>> {
  return readAll(tx, lockAll, keys);
}

/** Reads many by their ids. Mandates that their tenant does not have are left out. */
export async function findMandates(db: Queryable, keys: readonly MandateKey[]): Promise<Mandate[]> {
  return [...(await readAll(db, findAll, keys)).values()];
}

async function readAll(
  db: Queryable,
  statement: Statement,
  keys: readonly MandateKey[],
): Promise<ReadonlyMap<number, Mandate>> {
  const ids = new Set(keys.map(({ id }) => id));
  const tenants = new Set(keys.map(({ tenant }) => tenant));
  const rows = await db.query<Mandate>(statement, [[...tenants], [...ids]]);
  // A tenant that names another one's mandate must not hide it from its owner.
  const asked = new Set(keys.map(({ tenant, id }) => `${id} ${tenant}`));
  return new Map(rows.filter(({ tenant, id }) => asked.has(`${id} ${tenant}`)).map((row) => [row.id, row]));
}

/** Locks the mandate of this provider with that token. Returns null when there is none. */
export async function lockMandateByToken(
  tx: Tx,
  provider: ProviderName,
  token: string,
): Promise<Mandate | null> {
  const [row] = await tx.query<Mandate>(lockByToken, [provider, token]);
  return row ?? null;
}

/** Counts a notification of the provider about a mandate that this transaction has locked. */
export async function countProviderFact(tx: Tx, { tenant, id }: Mandate): Promise<void> {
  await tx.query(countFact, [tenant, id]);
}

/** Puts an APPROVED mandate that this transaction has locked in doubt. In any other state no call is begun anyway. */
export async function doubtMandate(tx: Tx, { tenant, id }: Mandate): Promise<void> {
  await tx.query(doubt, [tenant, id, tx.now]);
}

/** Ends the doubt of a mandate that this transaction has locked: the provider has confirmed its state. */
export async function confirmMandate(tx: Tx, { tenant, id }: Mandate): Promise<void> {
  await tx.query(confirm, [tenant, id]);
}

/** Makes the payment the one that authorises. `checkAt` is when payments is asked whether it was created. */
export async function takeAuthorisation(
  tx: Tx,
  { tenant, id }: Mandate,
  paymentId: number,
  checkAt: Date,
): Promise<void> {
  await tx.query(claim, [tenant, id, paymentId, tx.now, checkAt]);
}

/** Frees the claim if that payment still holds it: a compare-and-set. */
export async function freeAuthorisation(
  tx: Queryable,
  tenant: string,
  id: number,
  paymentId: number,
): Promise<boolean> {
  return (await tx.query(release, [tenant, id, paymentId])).length === 1;
}
