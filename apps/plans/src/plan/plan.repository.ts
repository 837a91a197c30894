import type { EitherId } from '@fundrail/contracts';
import { insertRow, nextOf, saveRow, sql } from '@fundrail/persistence';
import type { Queryable, Statement, Tx } from '@fundrail/persistence';
import type { AggregateRows } from '@fundrail/service-kit/aggregate';
import { PLAN_COURSES, REDEMPTION_PLANS, type PlanKind } from './plan.table.ts';
import type { CalendarDay, Plan } from './plan.ts';

// A `daily` plan ends on the business day that many days on, by the calendar as it is now.
const END_DATE = `CASE
    WHEN p.frequency <> 'daily' OR (p.first_now AND c.made = 0) THEN p.end_date
    WHEN c.made = p.number_of_installments THEN c.previous_date
    WHEN c.next_date IS NOT NULL THEN (
      SELECT b.day FROM business_calendar b WHERE b.day >= c.next_date AND b.moved = b.day
       ORDER BY b.day OFFSET p.number_of_installments - c.made - 1 LIMIT 1)
    ELSE p.end_date END`;
// What both tables have is the plan's, except the amount: courses of plans older than the column have none.
const own: readonly string[] = REDEMPTION_PLANS.names;
const COMPUTED: Readonly<Record<string, string>> = {
  amount: 'coalesce(c.amount, p.amount)',
  end_date: END_DATE,
};
const READ = [
  ...own.map((column) => `${COMPUTED[column] ?? `p.${column}`} AS ${column}`),
  ...PLAN_COURSES.stepped.filter((column) => !own.includes(column)).map((column) => `c.${column}`),
  'ARRAY(SELECT year FROM holiday_years ORDER BY year) AS known_years',
  '(SELECT upper(r) - 1 FROM unnest(c.skips) AS r WHERE r @> c.next_date) AS paused_until',
].join(', ');
const JOINED = `SELECT ${READ} FROM redemption_plans p JOIN plan_courses c ON c.plan_id = p.id`;

const insert = insertRow(REDEMPTION_PLANS, 'ON CONFLICT DO NOTHING RETURNING id');
const insertCourse = insertRow(PLAN_COURSES);
const [savePlan, saveCourse] = [saveRow(REDEMPTION_PLANS, 'id'), saveRow(PLAN_COURSES, 'plan_id')];
const findById = sql('redemption_plans.find_by_id', `${JOINED} WHERE p.tenant = $1 AND p.id = $2`);
const findByOldId = sql(
  'redemption_plans.find_by_old_id',
  `${JOINED} WHERE p.tenant = $1 AND p.old_id = $2 AND p.kind = $3`,
);
// Locks the plan first and its course second, as every transaction does that locks both; generation locks only the course.
const lock = sql('redemption_plans.lock', `${JOINED} WHERE p.tenant = $1 AND p.id = $2 FOR UPDATE OF p, c`);
// The plans of events that came together, of all tenants; in the order of their ids, so that two groups cannot deadlock.
const lockMany = sql(
  'redemption_plans.lock_many',
  `${JOINED} WHERE p.id = ANY($1) AND c.plan_id = ANY($1) ORDER BY p.id FOR UPDATE OF p, c`,
);
// The only read without a tenant: the gateway's callback contains our id, and the row contains the tenant.
const lockByReference = sql(
  'redemption_plans.lock_by_reference',
  `${JOINED} WHERE p.id = $1 FOR UPDATE OF p, c`,
);
const markAnswer = sql(
  'redemption_plans.mark_answer',
  `UPDATE redemption_plans SET unanswered_since = CASE WHEN $3 THEN NULL ELSE coalesce(unanswered_since, $4) END
    WHERE tenant = $1 AND id = $2`,
);
const ofMandate = sql(
  'redemption_plans.of_mandate',
  `SELECT p.id FROM redemption_plans p JOIN plan_courses c ON c.plan_id = p.id
    WHERE p.payment_source = $2 AND p.tenant = $1 AND c.made < c.number_of_installments
      AND p.state IN ('created', 'review_completed', 'confirmed', 'submitted', 'active') ORDER BY p.id`,
);
const calendarDay = sql(
  'business_calendar.day',
  'SELECT day, moved, generate_at FROM business_calendar WHERE day = $1',
);
const businessDay = sql(
  'business_calendar.business_day',
  'SELECT day FROM business_calendar WHERE day >= $1 AND moved = day ORDER BY day OFFSET $2 LIMIT 1',
);
// The ids of the page are found first: the plan of a statement does not know its limit, and would join a tenth of all plans.
const listOf = (name: string, from: string) =>
  sql(
    `redemption_plans.list${name}`,
    `${JOINED} WHERE p.id = ANY (ARRAY(SELECT id FROM ${from} ORDER BY old_id DESC LIMIT $4)) ORDER BY p.old_id DESC`,
  );
// An index is used only for a condition that holds for every value, so each filter with an index has a text of its own.
const AFTER = `WHERE n.tenant = $1 AND n.old_id < coalesce($3::bigint, 9223372036854775807)
  AND ($2::text[] IS NULL OR n.state = ANY($2))`;
const OF_KIND = `redemption_plans n ${AFTER} AND n.kind = $5`;
// `IS TRUE` hides the kind from the indexes: that of the filter is the better one.
const OF_FILTER = `${AFTER} AND (n.kind = $5) IS TRUE AND ($7::text IS NULL OR n.mf_investment_account = $7)`;
const OF_MANDATE = '($8::bigint IS NULL OR n.payment_source = $8)';
const list = listOf('', OF_KIND);
const listOfAccount = listOf(
  '_of_account',
  `redemption_plans n ${AFTER} AND (n.kind = $5) IS TRUE AND n.mf_investment_account = $6`,
);
const listOfMandate = listOf(
  '_of_mandate',
  `(SELECT * FROM redemption_plans WHERE payment_source = $6 OFFSET 0) n ${OF_FILTER}`,
);
const listOfReference: Readonly<Record<PlanKind, Statement>> = {
  redemption: listOf(
    '_of_reference',
    `redemption_plans n ${OF_FILTER} AND ${OF_MANDATE} AND n.source_ref_id = $6`,
  ),
  purchase: listOf(
    '_of_purchase_reference',
    `redemption_plans n ${OF_FILTER} AND ${OF_MANDATE} AND n.purchase_ref_id = $6`,
  ),
};

/** Reads each state separately, by an index in list order, so that a tenant's rare states are not searched for among all its plans. */
const listByStates = listOf(
  '_by_states',
  `unnest($2::text[]) AS asked (state), LATERAL (
     SELECT n.id, n.old_id FROM ${OF_KIND} AND n.state = asked.state ORDER BY n.old_id DESC LIMIT $4) AS found`,
);
const countSilent = sql(
  'redemption_plans.count_silent',
  'SELECT count(*) AS plans FROM redemption_plans WHERE unanswered_since <= $1',
);

export const drawPlanOldId = nextOf('redemption_plans_old_id_seq');

/** The statements of a plan and its course. */
export const planRows: AggregateRows<Plan> = {
  lock: async (tx, tenant, id) => (await tx.query<Plan>(lock, [tenant, id]))[0] ?? null,
  insert: async (tx, row) => {
    if ((await insert(tx, row)).length === 0) return false;
    await insertCourse(tx, { ...row, plan_id: row.id });
    return true;
  },
  save: async (tx, changes) => {
    await Promise.all(
      changes.flatMap(({ after }) => [savePlan(tx, after), saveCourse(tx, { ...after, plan_id: after.id })]),
    );
  },
};

/** A plan by its id, whose prefix says its kind, or a plan of this kind by its `old_id`. */
export async function findPlan(
  db: Queryable,
  tenant: string,
  id: EitherId,
  kind: PlanKind = 'redemption',
): Promise<Plan | null> {
  const [row] =
    'id' in id
      ? await db.query<Plan>(findById, [tenant, id.id])
      : await db.query<Plan>(findByOldId, [tenant, id.oldId, kind]);
  return row ?? null;
}

/** Locks the plans with these ids, of all tenants. The caller must compare the tenants. */
export function lockPlans(tx: Tx, ids: readonly string[]): Promise<Plan[]> {
  return tx.query<Plan>(lockMany, [ids]);
}

/** Locks the plan that the gateway's callback is about. Returns null when there is none. */
export async function lockPlanByReference(tx: Tx, id: string): Promise<Plan | null> {
  return (await tx.query<Plan>(lockByReference, [id]))[0] ?? null;
}

/** Records whether the gateway's last answer was understood. The time since which answers are not understood stays. */
export async function markGatewayAnswer(
  db: Queryable,
  { tenant, id }: Plan,
  isUnderstood: boolean,
  now: Date,
): Promise<void> {
  await db.query(markAnswer, [tenant, id, isUnderstood, now]);
}

/** How many plans have had no understood answer since that time (GATE-5: unresolved after 24 h). */
export async function countSilentSince(db: Queryable, since: Date): Promise<number> {
  const [row] = await db.query<{ plans: number }>(countSilent, [since]);
  return row?.plans ?? 0;
}

/** The ids of the mandate's plans that have installments to come. */
export async function findPlansOfMandate(db: Queryable, tenant: string, mandate: number): Promise<string[]> {
  return (await db.query<{ id: string }>(ofMandate, [tenant, mandate])).map(({ id }) => id);
}

/** The business day that many business days after `from`, or after the first one from it on. Throws beyond the calendar's end. */
export async function findBusinessDay(db: Queryable, from: string, later: number): Promise<string> {
  const [row] = await db.query<{ day: string }>(businessDay, [from, later]);
  if (!row) throw new Error(`the calendar does not reach ${later} business days after ${from}`);
  return row.day;
}

/** A day of the business calendar. Throws beyond its end, which no plan's dates reach. */
export async function findCalendarDay(db: Queryable, day: string): Promise<CalendarDay> {
  const [row] = await db.query<CalendarDay>(calendarDay, [day]);
  if (!row) throw new Error(`the calendar does not reach ${day}`);
  return row;
}

interface PlanFilters {
  readonly kind: PlanKind;
  readonly mf_investment_account?: string | undefined;
  readonly states?: readonly string[] | undefined;
  readonly source_ref_id?: string | undefined;
  readonly payment_source?: number | undefined;
  readonly limit: number;
}

/** Newest first; the list starts after the `old_id` in `before`. */
export async function listPlans(
  db: Queryable,
  tenant: string,
  { kind, states, limit, mf_investment_account, source_ref_id, payment_source }: PlanFilters,
  before: number | null,
): Promise<Plan[]> {
  const asked = [tenant, states ? [...new Set(states)] : null, before, limit, kind];
  const account = mf_investment_account ?? null;
  if (source_ref_id !== undefined)
    return db.query<Plan>(listOfReference[kind], [...asked, source_ref_id, account, payment_source ?? null]);
  if (payment_source !== undefined) return db.query<Plan>(listOfMandate, [...asked, payment_source, account]);
  if (account !== null) return db.query<Plan>(listOfAccount, [...asked, account]);
  return db.query<Plan>(states ? listByStates : list, asked);
}
