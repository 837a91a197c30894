import { sql, type Queryable } from '@fundrail/persistence';

/** A claim for which it is not known yet whether its payment exists. */
export interface Unchecked {
  readonly tenant: string;
  readonly payment_id: number;
  readonly mandate_id: number;
  readonly holds: 'authorisation' | 'debit';
}

const earliest = sql(
  'payment_checks.earliest',
  `SELECT least((SELECT min(authorising_check_at) FROM mandates WHERE authorising_check_at <= $1),
                (SELECT min(check_at) FROM mandate_debits WHERE check_at <= $1)) AS at`,
);
// Leases due rows by postponing their next check, so that other replicas skip them. Nothing waits for a lock here.
const leaseAuthorisations = sql(
  'payment_checks.lease_authorisations',
  `UPDATE mandates SET authorising_check_at = $2 WHERE id = ANY (ARRAY(
     SELECT id FROM mandates WHERE authorising_check_at <= $1
      ORDER BY authorising_check_at LIMIT $3 FOR UPDATE SKIP LOCKED))
   RETURNING tenant, authorising_payment AS payment_id, id AS mandate_id, 'authorisation' AS holds`,
);
const leaseDebits = sql(
  'payment_checks.lease_debits',
  `UPDATE mandate_debits SET check_at = $2 WHERE payment_id = ANY (ARRAY(
     SELECT payment_id FROM mandate_debits WHERE check_at <= $1 ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED))
   RETURNING tenant, payment_id, mandate_id, 'debit' AS holds`,
);
const knownAuthorisations = sql(
  'payment_checks.known_authorisations',
  `UPDATE mandates SET authorising_check_at = NULL WHERE id = ANY (ARRAY(
     SELECT id FROM mandates WHERE authorising_payment = ANY($1) AND authorising_check_at = $2 ORDER BY id FOR UPDATE))`,
);
const knownDebits = sql(
  'payment_checks.known_debits',
  `UPDATE mandate_debits SET check_at = NULL WHERE payment_id = ANY (ARRAY(
     SELECT payment_id FROM mandate_debits WHERE payment_id = ANY($1) AND check_at = $2 ORDER BY payment_id FOR UPDATE))`,
);

/** When the next check is due, if it is due by `before`. */
export async function earliestCheck(db: Queryable, before: Date): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(earliest, [before]);
  return row?.at ?? null;
}

/** Leases at most `most` due rows of each table. Those that are not settled are due again at `until`. */
export async function leaseChecks(db: Queryable, due: Date, until: Date, most: number): Promise<Unchecked[]> {
  const authorisations = await db.query<Unchecked>(leaseAuthorisations, [due, until, most]);
  return [...authorisations, ...(await db.query<Unchecked>(leaseDebits, [due, until, most]))];
}

/** Records that these payments exist. Their claims, as leased until `until`, need no further check. */
export async function markKnown(db: Queryable, paymentIds: readonly number[], until: Date): Promise<void> {
  if (paymentIds.length === 0) return;
  await db.query(knownAuthorisations, [paymentIds, until]);
  await db.query(knownDebits, [paymentIds, until]);
}
