import { parseJson, planInstallment, purchaseInstallment } from '@fundrail/contracts';
import type { PlanInstallment, PurchaseInstallment } from '@fundrail/contracts';
import { currentTraceparent } from '@fundrail/messaging';
import { sql, type Queryable, type Statement, type Tx } from '@fundrail/persistence';
import { keepCalendar } from '../holiday/holiday.repository.ts';
import { generation, STORED_JSON } from './generation-sql.ts';
import type { InstallmentOutcome } from './installment-end.ts';

const LOCKED = 'FOR UPDATE SKIP LOCKED';
const generate = sql(
  'plan_courses.generate',
  generation(`plan_courses WHERE generate_at <= $1 ORDER BY generate_at LIMIT $2 ${LOCKED}`),
);
const generateShares = sql(
  'plan_courses.generate_shares',
  generation(`unnest($5::text[]) AS asked (owner), LATERAL (
         SELECT * FROM plan_courses WHERE generate_at = $4 AND generate_at <= $1 AND tenant = asked.owner LIMIT $2 ${LOCKED}) AS share`),
);
const generateOne = sql(
  'plan_courses.generate_one',
  generation(`plan_courses WHERE generate_at <= $1 AND plan_id = $2 ${LOCKED}`),
);
const firstDue = sql(
  'plan_courses.first_due',
  'SELECT plan_id, tenant FROM plan_courses WHERE generate_at = $1 AND tenant = $2 LIMIT 1',
);
// From one tenant of the earliest time to the next, by the index of due plans: a look-up for each, however many plans they have.
const firstMoment = sql(
  'plan_courses.first_moment',
  `WITH RECURSIVE moment AS MATERIALIZED (SELECT min(generate_at) AS due_at FROM plan_courses WHERE generate_at <= $1),
   owners AS (
     SELECT (SELECT c.tenant FROM plan_courses c WHERE c.generate_at = m.due_at ORDER BY c.tenant LIMIT 1) AS tenant FROM moment m
     UNION ALL
     SELECT (SELECT c.tenant FROM plan_courses c
              WHERE c.generate_at = (SELECT due_at FROM moment) AND c.tenant > o.tenant ORDER BY c.tenant LIMIT 1)
       FROM owners o WHERE o.tenant IS NOT NULL
   )
   SELECT due_at, ARRAY(SELECT tenant FROM owners WHERE tenant IS NOT NULL LIMIT $2) AS tenants FROM moment`,
);
const setAside = sql(
  'plan_courses.set_aside',
  'UPDATE plan_courses SET generate_at = $3 WHERE plan_id = $1 AND generate_at <= $2',
);
const earliest = sql(
  'plan_courses.earliest',
  'SELECT min(generate_at) AS due_at FROM plan_courses WHERE generate_at <= $1',
);
const draw = sql(
  'plan_installments.draw',
  `INSERT INTO plan_installments
          (plan_id, installment_number, tenant, redemption, state, nominal_date, date, drawn, generated_at)
   VALUES ($1, $2, $3, $4, 'under_review', $5, $5, true, $6) ON CONFLICT DO NOTHING RETURNING redemption`,
);
const findDrawn = sql(
  'plan_installments.find_drawn',
  `SELECT '' || ${STORED_JSON} AS text FROM plan_installments i JOIN redemption_plans p ON p.id = i.plan_id
    WHERE i.tenant = $1 AND i.redemption = $2 AND i.drawn`,
);
const find = sql(
  'plan_installments.find',
  `SELECT p.kind, '' || ${STORED_JSON} AS text FROM plan_installments i JOIN redemption_plans p ON p.id = i.plan_id
    WHERE i.tenant = $1 AND i.plan_id = $2 AND i.installment_number = $3`,
);
const end = sql(
  'plan_installments.end',
  `UPDATE plan_installments SET ended_at = $5
    WHERE tenant = $1 AND plan_id = $2 AND installment_number = $3 AND redemption = $4 AND ended_at IS NULL
   RETURNING installment_number`,
);
const endMany = sql(
  'plan_installments.end_many',
  `UPDATE plan_installments i SET ended_at = $6, outcome = e.outcome
     FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[]) AS e (tenant, plan, number, redemption, outcome)
    WHERE i.plan_id = e.plan AND i.installment_number = e.number AND i.tenant = e.tenant AND i.redemption = e.redemption
      AND i.plan_id = ANY ($2) AND i.ended_at IS NULL
   RETURNING i.plan_id`,
);
const countMany = sql(
  'plan_installments.count_ends',
  `SELECT plan AS plan_id, counted.* FROM unnest($1::text[]) AS asked (plan), LATERAL (
     SELECT (SELECT count(*) FROM plan_installments WHERE plan_id = plan AND outcome = 'unpaid' AND installment_number > coalesce(
               (SELECT max(installment_number) FROM plan_installments WHERE plan_id = plan AND outcome = 'successful'), 0)) AS failed,
            EXISTS (SELECT FROM plan_installments WHERE plan_id = plan AND ended_at IS NULL) AS "isAnyOpen" OFFSET 0) AS counted`,
);
const open = sql(
  'plan_installments.open',
  'SELECT FROM plan_installments WHERE plan_id = $1 AND ended_at IS NULL LIMIT 1',
);

/** The result of one batch. */
export interface Generated {
  readonly installments: number;
  /** How many of them are inside skip ranges. */
  readonly skipped: number;
  /** When they were due; null when there were none. */
  readonly earliest: Date | null;
  readonly latest: Date | null;
}

/** The earliest time at which plans are due, and the tenants that have plans due then. */
export interface Moment {
  readonly due_at: Date;
  readonly tenants: readonly string[];
}

/** The earliest time ≤ `now` at which plans are due, with up to `most` of their tenants; null when none are. */
export async function findFirstMoment(db: Queryable, now: Date, most: number): Promise<Moment | null> {
  const [row] = await db.query<{ due_at: Date | null; tenants: string[] }>(firstMoment, [now, most]);
  return row?.due_at ? { due_at: row.due_at, tenants: row.tenants } : null;
}

/**
 * Generates one installment of each of up to `most` due plans, in one statement. Where several tenants have plans due at the earliest time,
 * each gets the same share of it, so that none waits for all plans of another (PLAN-16). When other transactions have locked all of these,
 * plans that are due later have their turn.
 */
export async function generateInstallments(
  tx: Tx,
  most: number,
  { due_at, tenants }: Moment,
): Promise<Generated> {
  if (tenants.length > 1) {
    const asked = tenants.slice(0, most);
    const shares = await generateBy(tx, generateShares, Math.ceil(most / asked.length), [due_at, asked]);
    if (shares.installments > 0) return shares;
  }
  return generateBy(tx, generate, most);
}

/** Generates the plan's due installment; none when it is not due, or when another transaction has locked the plan. */
export function generateInstallmentOf(tx: Tx, plan: string): Promise<Generated> {
  return generateBy(tx, generateOne, plan);
}

/** A statement of its own, because it has to see the calendar that `takeTurn` has locked. */
async function generateBy(
  tx: Tx,
  statement: Statement,
  which: number | string,
  more: readonly unknown[] = [],
): Promise<Generated> {
  const [row] = await tx.query<Generated>(statement, [tx.now, which, currentTraceparent(), ...more]);
  if (!row) throw new Error('the generation returned no row');
  if (row.installments > 0) tx.signal('outbox');
  return row;
}

/** A plan whose installment is due. */
export interface DuePlan {
  readonly plan_id: string;
  readonly tenant: string;
}

/** The first plan of a tenant that is due at that time, or null. */
export async function firstDuePlan(db: Queryable, at: Date, tenant: string): Promise<DuePlan | null> {
  return (await db.query<DuePlan>(firstDue, [at, tenant]))[0] ?? null;
}

/** Postpones a plan that is due at `now` until that time, so that it does not block the plans after it. */
export async function setPlanAside(db: Queryable, plan: string, now: Date, until: Date): Promise<void> {
  await db.query(setAside, [plan, now, until]);
}

/** The earliest time ≤ `before` at which an installment is due, or null. */
export async function earliestInstallment(db: Queryable, before: Date): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date | null }>(earliest, [before]);
  return row?.due_at ?? null;
}

/** Stores the installment that the caller draws from a locked plan. Returns false when the redemption has one already. */
export async function insertDrawn(
  tx: Tx,
  plan: { readonly id: string; readonly tenant: string },
  {
    number,
    redemption,
    date,
  }: { readonly number: number; readonly redemption: string; readonly date: string },
): Promise<boolean> {
  const rows = await tx.query(draw, [plan.id, number, plan.tenant, redemption, date, tx.now]);
  return rows.length === 1;
}

/** A drawn installment by its redemption, or null. */
export async function findDrawnInstallment(
  db: Queryable,
  tenant: string,
  redemption: string,
): Promise<PlanInstallment | null> {
  const [row] = await db.query<{ text: string }>(findDrawn, [tenant, redemption]);
  return row ? planInstallment.parse(parseJson(row.text)) : null;
}

/** An installment of either kind. */
type Installment =
  | { readonly kind: 'redemption'; readonly installment: PlanInstallment }
  | { readonly kind: 'purchase'; readonly installment: PurchaseInstallment };

/** An installment, drawn or generated, by its plan and number, or null. */
export async function findInstallment(
  db: Queryable,
  tenant: string,
  of: { readonly plan: string; readonly installment_number: number },
): Promise<Installment | null> {
  const values = [tenant, of.plan, of.installment_number];
  const [row] = await db.query<{ kind: Installment['kind']; text: string }>(find, values);
  if (!row) return null;
  const found = parseJson(row.text);
  return row.kind === 'purchase'
    ? { kind: row.kind, installment: purchaseInstallment.parse(found) }
    : { kind: row.kind, installment: planInstallment.parse(found) };
}

/** An installment by its plan, its number and its order. */
export interface InstallmentKey {
  readonly plan: string;
  readonly installment_number: number;
  /** The id of its redemption or of its purchase. */
  readonly redemption: string;
}

/** Records that the installment's redemption has ended. Returns false when the end was known, or when the installment is unknown. */
export async function endInstallment(
  tx: Tx,
  tenant: string,
  { plan, installment_number, redemption }: InstallmentKey,
): Promise<boolean> {
  return (await tx.query(end, [tenant, plan, installment_number, redemption, tx.now])).length === 1;
}

/** An installment's end, as its plan counts it. */
interface OutcomeToStore extends InstallmentKey {
  readonly tenant: string;
  readonly outcome: InstallmentOutcome;
}

/** Records how installments have ended, one of each plan. Returns the plans whose end was new. */
export async function endInstallments(tx: Tx, ends: readonly OutcomeToStore[]): Promise<ReadonlySet<string>> {
  if (ends.length === 0) return new Set();
  const rows = await tx.query<{ plan_id: string }>(endMany, [
    ends.map(({ tenant }) => tenant),
    ends.map(({ plan }) => plan),
    ends.map((one) => one.installment_number),
    ends.map(({ redemption }) => redemption),
    ends.map(({ outcome }) => outcome),
    tx.now,
  ]);
  return new Set(rows.map(({ plan_id }) => plan_id));
}

/** What the installments of a plan say about it. */
interface EndCount {
  /** Unpaid ones with numbers above that of the last successful one (SIP-17). */
  readonly failed: number;
  readonly isAnyOpen: boolean;
}

/** Counts the ends of these plans. */
export async function countEnds(tx: Tx, plans: readonly string[]): Promise<ReadonlyMap<string, EndCount>> {
  if (plans.length === 0) return new Map();
  const rows = await tx.query<EndCount & { plan_id: string }>(countMany, [plans]);
  return new Map(rows.map(({ plan_id, ...count }) => [plan_id, count]));
}

/** Whether an installment of the plan has not ended yet. */
export async function hasOpenInstallment(tx: Tx, plan: string): Promise<boolean> {
  return (await tx.query(open, [plan])).length > 0;
}

const TURN = sql(
  'plan_courses.take_turn',
  "SELECT pg_try_advisory_xact_lock(hashtext('swp.generation')) AS is_mine",
);

/**
 * Whether this transaction may generate a batch. It also holds the calendar, by the same round trip, so it waits while holidays are
 * replaced. Only one scheduler may at a time: more would not raise the throughput, and the commits of requests would wait for all that
 * they write. It is not needed for exactly-once; the row locks ensure that.
 */
export async function takeTurn(tx: Tx): Promise<boolean> {
  const [[row]] = await Promise.all([tx.query<{ is_mine: boolean }>(TURN), keepCalendar(tx)]);
  return row?.is_mine ?? false;
}
