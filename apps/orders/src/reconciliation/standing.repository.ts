import { RECONCILIATION_PAGE, type OrderStanding, type RedemptionStanding } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import type { About } from '@fundrail/service-kit/reconciliation';
import type { MfOrder } from '../order/order.table.ts';

const standings = sql(
  'mf_orders.standings',
  `SELECT old_id, id, tenant, state, event_seq AS sequence, amount, claimed_by FROM mf_orders WHERE old_id = ANY($1)`,
);
/** The last event sequences of these orders. */
export const ORDER_SEQUENCES = sql(
  'mf_orders.sequences',
  'SELECT id, event_seq AS sequence FROM mf_orders WHERE id = ANY($1)',
);
const redemptions = sql(
  'mf_orders.redemption_standings',
  'SELECT id, state, amount, failure_code, folio_number FROM mf_orders WHERE id = ANY($1)',
);
const CLAIMED =
  'old_id, id, tenant, kind, state, claimed_by, payment_id, collection_mandate, collected_at, collection_returned_at';
// Limited before it is filtered, so that a statement reads one page of a table with millions of rows.
const page = sql(
  'mf_orders.claimed_page',
  `SELECT ${CLAIMED}, ((kind = 'purchase' OR collection_mandate IS NOT NULL) AND state = 'successful' AND succeeded_at >= $2
                       OR collected_at >= $2 AND state IN ('confirmed', 'submitted')
                       OR claimed_at >= $2) AS wanted
     FROM (SELECT * FROM mf_orders WHERE old_id > $1 ORDER BY old_id LIMIT $3) o ORDER BY old_id`,
);
const claimed = sql('mf_orders.claimed', `SELECT ${CLAIMED} FROM mf_orders WHERE old_id = ANY($1)`);
const checkClaim = sql(
  'mf_orders.check_claim',
  'UPDATE mf_orders SET claim_check_at = $3 WHERE old_id = $1 AND claimed_by = $2 RETURNING old_id',
);
// The limit is a part of the text: a parameter would be taken for a tenth of the table (decision 0010).
const unseen = sql(
  'mf_orders.unseen_at_gateway',
  `SELECT old_id AS place, id AS object, tenant, json_build_object('state', state) AS facts FROM mf_orders o
    WHERE old_id > $1 AND submitted_at BETWEEN $2 AND $3 AND state IN ('submitted', 'successful', 'reversed')
      AND NOT EXISTS (SELECT FROM reconciliation_seen WHERE check_name = $4 AND key = o.id)
    ORDER BY old_id LIMIT ${RECONCILIATION_PAGE}`,
);
// Whether the plan's mandate still has to be debited (`awaitsDebit`), and no payment came before that.
const DEBITED = `old_id, id, tenant,
  state = 'pending' AND debited_mandate IS NOT NULL AND debit_over_at IS NULL AND claimed_by IS NULL AS awaits_debit`;
const debitedPage = sql(
  'mf_orders.debited_page',
  `SELECT ${DEBITED}, debited_mandate IS NOT NULL AND review_completed_at <= $2 AS wanted
     FROM (SELECT * FROM mf_orders WHERE old_id > $1 ORDER BY old_id LIMIT $3) o ORDER BY old_id`,
);
const debited = sql('mf_orders.debited', `SELECT ${DEBITED} FROM mf_orders WHERE old_id = ANY($1)`);

const UNPAID = `old_id, id, tenant, plan, state, traded_on, is_overseas, payout_due_date, paid_out_at`;
// An order is here from its success to its payout.
const isUnpaid = `state = 'successful' AND paid_out_at IS NULL AND payout_due_date IS NOT NULL`;
const unpaidPage = sql(
  'mf_orders.unpaid_page',
  `SELECT ${UNPAID}, ${isUnpaid} AS wanted
     FROM (SELECT * FROM mf_orders WHERE old_id > $1 ORDER BY old_id LIMIT $2) o ORDER BY old_id`,
);
const unpaid = sql(
  'mf_orders.unpaid',
  `SELECT ${UNPAID} FROM mf_orders WHERE old_id = ANY($1) AND ${isUnpaid}`,
);

/** A successful redemption whose payout the gateway has not reported. */
export type UnpaidRedemption = Readonly<
  Pick<
    MfOrder,
    | ('old_id' | 'id' | 'tenant' | 'plan')
    | ('state' | 'traded_on' | 'is_overseas' | 'payout_due_date' | 'paid_out_at')
  >
>;

/** A page of all orders. `wanted` are redemptions without a payout. */
export function pageOfUnpaid(
  db: Queryable,
  after: number,
): Promise<(UnpaidRedemption & { readonly wanted: boolean })[]> {
  return db.query(unpaidPage, [after, RECONCILIATION_PAGE]);
}

/** Those of these orders that are redemptions without a payout. */
export function unpaidRedemptions(db: Queryable, oldIds: readonly number[]): Promise<UnpaidRedemption[]> {
  return db.query(unpaid, [oldIds]);
}

/** The fields of an order that concern the debit of its plan's mandate. */
export interface DebitedOrder {
  readonly old_id: number;
  readonly id: string;
  readonly tenant: string;
  readonly awaits_debit: boolean;
}

/** A page of all orders. `wanted` are those that plans debit, reviewed before `to`. */
export function pageOfDebited(
  db: Queryable,
  after: number,
  to: Date,
): Promise<(DebitedOrder & { readonly wanted: boolean })[]> {
  return db.query(debitedPage, [after, to, RECONCILIATION_PAGE]);
}

export function debitedOrders(db: Queryable, oldIds: readonly number[]): Promise<DebitedOrder[]> {
  return db.query(debited, [oldIds]);
}

/** The fields of an order that concern its claim. */
export interface ClaimedOrder {
  readonly old_id: number;
  readonly id: string;
  readonly tenant: string;
  readonly kind: 'purchase' | 'redemption';
  readonly state: OrderStanding['state'];
  readonly claimed_by: number | null;
  readonly payment_id: number | null;
  readonly collection_mandate: number | null;
  readonly collected_at: Date | null;
  readonly collection_returned_at: Date | null;
}

export function orderStandings(db: Queryable, oldIds: readonly number[]): Promise<OrderStanding[]> {
  return db.query<OrderStanding>(standings, [oldIds]);
}

export function redemptionStandings(db: Queryable, ids: readonly string[]): Promise<RedemptionStanding[]> {
  return db.query<RedemptionStanding>(redemptions, [ids]);
}

/** A page of all orders. `wanted` are those whose claim or success is not older than `from`. */
export function pageOfClaimed(
  db: Queryable,
  after: number,
  from: Date,
): Promise<(ClaimedOrder & { readonly wanted: boolean })[]> {
  return db.query(page, [after, from, RECONCILIATION_PAGE]);
}

export function claimedOrders(db: Queryable, oldIds: readonly number[]): Promise<ClaimedOrder[]> {
  return db.query(claimed, [oldIds]);
}

/** Schedules the claim sweep's question to payments for `at`. Returns false when another payment holds the order now. */
export async function checkClaimAt(
  db: Queryable,
  oldId: number,
  payment: number,
  at: Date,
): Promise<boolean> {
  return (await db.query(checkClaim, [oldId, payment, at])).length > 0;
}

/** Orders submitted in this time that were not in the gateway's list. */
export function unseenAtGateway(
  db: Queryable,
  check: string,
  after: number,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<(About & { readonly place: number })[]> {
  return db.query(unseen, [after, from, to, check]);
}
