import { RECONCILIATION_PAGE, type DebitStanding } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

const debits = sql(
  'mandate_debits.standings',
  `SELECT d.payment_id, d.state, m.mandate_status FROM mandate_debits d JOIN mandates m ON m.id = d.mandate_id
    WHERE d.payment_id = ANY($1)`,
);
/** The last event sequences of these mandates. */
export const MANDATE_SEQUENCES = sql(
  'mandates.sequences',
  `SELECT id::text, event_seq AS sequence FROM mandates
    WHERE id = ANY(array(SELECT given::bigint FROM unnest($1::text[]) AS given WHERE given ~ '^[0-9]{1,15}$'))`,
);
// Limited before it is filtered, so that a statement reads one page of a table of any size.
const heldDebits = sql(
  'mandate_debits.reconciled_page',
  `SELECT payment_id, mandate_id, tenant, state, (ended_at IS NULL OR ended_at >= $2) AS wanted
     FROM mandate_debits WHERE payment_id > $1 ORDER BY payment_id LIMIT $3`,
);
const namedDebits = sql(
  'mandate_debits.named',
  'SELECT payment_id, mandate_id, tenant, state FROM mandate_debits WHERE payment_id = ANY($1)',
);
const page = sql(
  'mandates.reconciled_page',
  `SELECT id, tenant, authorising_payment,
          (mandate_token IS NOT NULL AND greatest(approved_at, paused_at, cancelled_at, expired_at, created_at) >= $2) AS changed
     FROM mandates WHERE id > $1 ORDER BY id LIMIT $3`,
);
const authorising = sql(
  'mandates.authorising',
  'SELECT id, tenant, authorising_payment FROM mandates WHERE authorising_payment IS NOT NULL AND id = ANY($1)',
);
const checkDebit = sql(
  'mandate_debits.check_now',
  "UPDATE mandate_debits SET check_at = $2 WHERE payment_id = $1 AND state = 'admitted' RETURNING payment_id",
);
const checkAuthorisation = sql(
  'mandates.check_authorisation_now',
  'UPDATE mandates SET authorising_check_at = $2 WHERE id = $1 AND authorising_payment IS NOT NULL RETURNING id',
);

export function debitStandings(db: Queryable, paymentIds: readonly number[]): Promise<DebitStanding[]> {
  return db.query(debits, [paymentIds]);
}

export interface HeldDebit {
  readonly payment_id: number;
  readonly mandate_id: number;
  readonly tenant: string;
  readonly state: DebitStanding['state'];
}

/** A page of all debits. `wanted` are those that are admitted, or have ended since `from`. */
export function pageOfDebits(
  db: Queryable,
  after: number,
  from: Date,
): Promise<(HeldDebit & { readonly wanted: boolean })[]> {
  return db.query(heldDebits, [after, from, RECONCILIATION_PAGE]);
}

export function debitsNamed(db: Queryable, paymentIds: readonly number[]): Promise<HeldDebit[]> {
  return db.query(namedDebits, [paymentIds]);
}

export interface Authorising {
  readonly id: number;
  readonly tenant: string;
  readonly authorising_payment: number | null;
  readonly changed?: boolean;
}

/** A page of all mandates. `changed` are those that a provider knows and that have changed since `from`. */
export function pageOfMandates(db: Queryable, after: number, from: Date): Promise<Authorising[]> {
  return db.query(page, [after, from, RECONCILIATION_PAGE]);
}

/** Those of these mandates that wait for an authorisation. */
export function authorisingMandates(db: Queryable, ids: readonly number[]): Promise<Authorising[]> {
  return db.query(authorising, [ids]);
}

/** Schedules the sweep's question to payments for `at`. */
export async function checkDebitAt(db: Queryable, paymentId: number, at: Date): Promise<boolean> {
  return (await db.query(checkDebit, [paymentId, at])).length > 0;
}

export async function checkAuthorisationAt(db: Queryable, id: number, at: Date): Promise<boolean> {
  return (await db.query(checkAuthorisation, [id, at])).length > 0;
}
