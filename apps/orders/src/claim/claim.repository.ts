import type { Claim } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { MfOrder } from '../order/order.table.ts';
import type { ClaimableOrder } from './claim.ts';
import type { HeldOrder } from './give-up.ts';

// Locks the rows first and in one order, so that overlapping sets wait for each other instead of deadlocking (CLAIM-3).
const lockClaimable = sql(
  'claims.lock_orders',
  `SELECT old_id, id, tenant, kind, mf_investment_account, investor_profile, state, consent, amount, claimed_by, event_seq,
          scheme, scheme_category, collection_mandate, collected_at, plan, given_up_by, debited_mandate, debit_over_at
     FROM mf_orders WHERE tenant = ANY($1) AND old_id = ANY($2) ORDER BY old_id FOR UPDATE`,
);
// `last_payment_id` is the last payment that is known here to exist. A holder that is replaced before its check (60 s) may have
// died or may never have been created. The claim does not state which: a strict request may have no new field while an older
// replica receives it. It counts as never created. When the payment that replaces it is never created either, the order shows an
// older payment or none, though the replaced one exists. It never shows a payment that does not exist.
// `= ANY` here and below in addition to the join: no plan reads other orders (decision 0010).
const take = sql(
  'claims.take',
  `UPDATE mf_orders AS o
      SET claimed_by = c.payment_id, payment_id = c.payment_id, claimed_at = $3, claim_check_at = $4,
          money_received_at = NULL, money_settled_at = NULL,
          last_payment_id = CASE WHEN o.claimed_by IS NULL OR o.claim_check_at IS NULL THEN o.payment_id ELSE o.last_payment_id END
     FROM unnest($1::bigint[], $2::bigint[]) AS c (old_id, payment_id)
    WHERE o.old_id = c.old_id AND o.old_id = ANY ($1)`,
);
// The usual claim in one statement: all its orders are purchases of no plan, payable and free. A row that changed during the wait for its lock
// is checked again. A claim with an order that does not fit takes none, and is not in the result.
const takeFree = sql(
  'claims.take_free',
  `WITH asked AS (
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::int[])
       AS a (old_id, payment_id, tenant, investor_profile, size)
   ), locked AS MATERIALIZED (
     SELECT o.old_id, o.mf_investment_account, a.payment_id, a.size
       FROM asked AS a JOIN mf_orders AS o ON o.old_id = a.old_id AND o.tenant = a.tenant
      WHERE o.old_id = ANY ($1) AND o.kind = 'purchase' AND o.state IN ('pending', 'submitted') AND o.consent IS NOT NULL
        AND o.claimed_by IS NULL AND o.plan IS NULL
        AND o.investor_profile = coalesce(a.investor_profile, o.investor_profile)
      ORDER BY o.old_id FOR UPDATE OF o
   ), whole AS (
     SELECT payment_id FROM locked GROUP BY payment_id
     HAVING count(*) = min(size) AND count(DISTINCT mf_investment_account) = 1
   )
   UPDATE mf_orders AS o
      SET claimed_by = l.payment_id, payment_id = l.payment_id, claimed_at = $6, claim_check_at = $7, last_payment_id = o.payment_id,
          money_received_at = NULL, money_settled_at = NULL
     FROM locked AS l JOIN whole USING (payment_id)
    WHERE o.old_id = l.old_id AND o.old_id = ANY ($1)
   RETURNING o.old_id, o.id, o.state, o.amount, o.event_seq, o.scheme, o.scheme_category, o.mf_investment_account, o.claimed_by`,
);
// The holder is compared again after the wait for the lock: a new holder keeps the order.
const release = sql(
  'claims.release',
  `WITH held AS (
     SELECT old_id FROM mf_orders
      WHERE tenant = $1 AND claimed_by = $2 AND ($3::bigint[] IS NULL OR old_id = ANY($3)) ORDER BY old_id FOR UPDATE
   )
   UPDATE mf_orders AS o SET claimed_by = NULL, claimed_at = NULL, claim_check_at = NULL,
          money_received_at = NULL, money_settled_at = NULL,
          payment_id = CASE WHEN $4 THEN o.last_payment_id ELSE o.payment_id END
     FROM held WHERE o.old_id = held.old_id AND o.claimed_by = $2
   RETURNING o.id, o.tenant, o.kind, o.state, o.review_completed_at, o.payable_until`,
);
// Locks rows in the order of all claim statements. A confirmation that came first is waited for, and a later one sees the mark.
const lockGivenUp = sql(
  'claims.lock_given_up',
  `SELECT old_id, id, tenant, state, event_seq, claimed_by, payment_id
     FROM mf_orders WHERE tenant = ANY($1) AND old_id = ANY($2) ORDER BY old_id FOR UPDATE`,
);
const markGivenUp = sql(
  'claims.mark_given_up',
  `UPDATE mf_orders AS o SET given_up_by = g.payment_id
     FROM unnest($1::bigint[], $2::bigint[]) AS g (old_id, payment_id)
    WHERE o.old_id = g.old_id AND o.claimed_by = g.payment_id AND o.old_id = ANY ($1)`,
);
const earliestCheck = sql(
  'claims.earliest_check',
  `SELECT min(claim_check_at) AS at FROM mf_orders WHERE claim_check_at <= $1`,
);
// Leases due rows by postponing their next check, so that other replicas skip them. Nothing waits for a lock here.
const leaseChecks = sql(
  'claims.lease_checks',
  `UPDATE mf_orders SET claim_check_at = $2 WHERE old_id = ANY (ARRAY(
     SELECT old_id FROM mf_orders WHERE claim_check_at <= $1 ORDER BY claim_check_at LIMIT $3 FOR UPDATE SKIP LOCKED))
   RETURNING tenant, claimed_by`,
);
const markKnown = sql(
  'claims.mark_known',
  `UPDATE mf_orders SET claim_check_at = NULL WHERE old_id = ANY (ARRAY(
     SELECT old_id FROM mf_orders WHERE claimed_by = ANY($1) AND claim_check_at = $2 ORDER BY old_id FOR UPDATE))`,
);

/** Locks the orders of these numbers, in the order of `old_id`. Rows of other tenants may be among them, so the caller must compare. */
export function lockClaimableOrders(
  tx: Tx,
  tenants: readonly string[],
  oldIds: readonly number[],
): Promise<ClaimableOrder[]> {
  return tx.query<ClaimableOrder>(lockClaimable, [tenants, oldIds]);
}

/** Writes the holder of each order. `checkAt` is when payments is asked whether the payment was created. */
export async function takeOrders(tx: Tx, taken: ReadonlyMap<number, number>, checkAt: Date): Promise<void> {
  if (taken.size === 0) return;
  await tx.query(take, [[...taken.keys()], [...taken.values()], tx.now, checkAt]);
}

/** An order that a claim has just taken. */
export type TakenOrder = Readonly<
  Pick<
    MfOrder,
    | 'old_id'
    | 'id'
    | 'state'
    | 'amount'
    | 'event_seq'
    | 'scheme'
    | 'scheme_category'
    | 'mf_investment_account'
    | 'claimed_by'
  >
>;

/**
 * Takes the orders of those claims of which every order is payable and free, in one statement that commits by itself. No order may
 * occur twice in all of the claims. A claim that is missing from the result took nothing.
 */
export function takeFreeOrders(
  db: Queryable,
  claims: readonly Claim[],
  at: Date,
  checkAt: Date,
): Promise<TakenOrder[]> {
  const asked = claims.flatMap((claim) => claim.amc_order_ids.map((old_id) => ({ old_id, claim })));
  return db.query<TakenOrder>(takeFree, [
    asked.map(({ old_id }) => old_id),
    asked.map(({ claim }) => claim.payment_id),
    asked.map(({ claim }) => claim.tenant),
    asked.map(({ claim }) => claim.investor_profile),
    asked.map(({ claim }) => claim.amc_order_ids.length),
    at,
    checkAt,
  ]);
}

/** An order that a release has just freed. */
export type FreedOrder = Readonly<
  Pick<MfOrder, 'id' | 'tenant' | 'kind' | 'state' | 'review_completed_at' | 'payable_until'>
>;

/** The orders that a claim releases. */
export interface Release {
  readonly tenant: string;
  readonly payment_id: number;
  /** Only these; if absent, all that it holds. */
  readonly amc_order_ids?: readonly number[] | undefined;
  /** No payment was created under the id: the orders show the previous payment again, if there was one. */
  readonly never_made?: boolean | undefined;
}

/** Frees the orders that the payment still holds, or the listed ones of them, and nothing else. */
export function freeOrders(tx: Tx, asked: Release): Promise<FreedOrder[]> {
  const { tenant, payment_id, amc_order_ids = null, never_made = false } = asked;
  return tx.query<FreedOrder>(release, [tenant, payment_id, amc_order_ids, never_made]);
}

/** A claim for which it is not known yet whether its payment exists. */
export interface UncheckedClaim {
  readonly tenant: string;
  readonly payment_id: number;
}

/** When the next claim has to be checked, if it is due by `before`. */
export async function earliestClaimCheck(db: Queryable, before: Date): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(earliestCheck, [before]);
  return row?.at ?? null;
}

/** Leases the claims of at most `most` orders that are due for a check. Those that are not settled are due again at `until`. */
export async function leaseClaimChecks(
  db: Queryable,
  due: Date,
  until: Date,
  most: number,
): Promise<UncheckedClaim[]> {
  const rows = await db.query<{ tenant: string; claimed_by: number }>(leaseChecks, [due, until, most]);
  const claims = new Map(
    rows.map((row) => [row.claimed_by, { tenant: row.tenant, payment_id: row.claimed_by }]),
  );
  return [...claims.values()];
}

/**
 * Records that these payments exist. Their claims, as leased until `until`, need no further check. A claim that was released and
 * taken again since the question is another one, with its own check.
 */
export async function markClaimsKnown(
  db: Queryable,
  paymentIds: readonly number[],
  until: Date,
): Promise<void> {
  if (paymentIds.length > 0) await db.query(markKnown, [paymentIds, until]);
}

/** Locks the orders of these numbers, in the order of `old_id`. Rows of other tenants may be among them, so the caller must compare. */
export function lockHeldOrders(
  tx: Tx,
  tenants: readonly string[],
  oldIds: readonly number[],
): Promise<HeldOrder[]> {
  return tx.query<HeldOrder>(lockGivenUp, [tenants, oldIds]);
}

/** Marks locked orders that cannot be confirmed under their payment any more: `old_id` → the payment that holds the order. */
export async function markOrdersGivenUp(tx: Tx, marked: ReadonlyMap<number, number>): Promise<void> {
  if (marked.size === 0) return;
  await tx.query(markGivenUp, [[...marked.keys()], [...marked.values()]]);
}
