import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { comingDates } from '../schedule/schedule-sql.ts';
import type { Plan } from '../plan/plan.ts';
import type { Skip } from './skip.ts';

// `least` ignores nulls: an instruction without an end lasts until it is cancelled, or without limit.
const LAST = 'least(s.to_date, s.last_day)';
// The coming dates of the plan are computed once for all of its instructions.
const read = (plan: string) => `
  WITH coming AS MATERIALIZED (
    SELECT dates.date FROM plan_courses c CROSS JOIN LATERAL (${comingDates('c')}) AS dates
     WHERE c.plan_id = ${plan} AND c.generate_at IS NOT NULL)
  SELECT s.id, s.plan_id, s.tenant, s.from_date, s.to_date, s.created_at, s.cancelled_at, s.last_day,
         c.kind, c.generate_at IS NOT NULL AS goes_on,
         (SELECT count(*) FROM plan_installments i
           WHERE i.plan_id = s.plan_id AND i.state = 'cancelled'
             AND i.date >= s.from_date
             AND (${LAST} IS NULL OR i.date <= ${LAST})) AS skipped,
         (SELECT count(*) FROM coming
           WHERE coming.date >= s.from_date AND (${LAST} IS NULL OR coming.date <= ${LAST})) AS remaining
    FROM skip_instructions s JOIN plan_courses c ON c.plan_id = s.plan_id
   WHERE s.tenant = $1`;

const insert = sql(
  'skip_instructions.insert',
  `INSERT INTO skip_instructions (id, plan_id, tenant, from_date, to_date, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);
const find = sql(
  'skip_instructions.find',
  `${read('(SELECT plan_id FROM skip_instructions WHERE tenant = $1 AND id = $2)')} AND s.id = $2`,
);
const list = sql(
  'skip_instructions.list',
  `${read('$2')} AND s.plan_id = $2 AND ($3::text IS NULL OR s.id < $3) ORDER BY s.id DESC LIMIT $4`,
);
const active = sql(
  'skip_instructions.active',
  `${read('$2')} AND s.plan_id = $2 AND s.cancelled_at IS NULL AND (s.to_date IS NULL OR s.to_date >= $3)
     AND c.generate_at IS NOT NULL ORDER BY s.id`,
);
const coming = sql(
  'plan_courses.coming',
  `SELECT dates.date, c.skips @> dates.date AS skipped
     FROM plan_courses c CROSS JOIN LATERAL (${comingDates('c')}) AS dates
    WHERE c.plan_id = $1 AND c.generate_at IS NOT NULL ORDER BY dates.date`,
);
const lastSkipped = sql(
  'plan_installments.last_skipped',
  `SELECT count(*) AS skipped FROM plan_installments WHERE plan_id = $1 AND installment_number > coalesce(
     (SELECT max(installment_number) FROM plan_installments WHERE plan_id = $1 AND state <> 'cancelled'), 0)`,
);
const cancel = sql(
  'skip_instructions.cancel',
  'UPDATE skip_instructions SET cancelled_at = $3, last_day = $4 WHERE tenant = $1 AND id = ANY ($2)',
);
// The days of all instructions of the plan, each up to its last effective day.
const gather = sql(
  'plan_courses.gather_skips',
  `UPDATE plan_courses SET skips = coalesce(
     (SELECT range_agg(daterange(s.from_date, ${LAST}, '[]')) FROM skip_instructions s
       WHERE s.plan_id = $1 AND (s.last_day IS NULL OR s.last_day >= s.from_date)), '{}')
    WHERE plan_id = $1`,
);

type NewSkip = Pick<Skip, 'id' | 'plan_id' | 'tenant' | 'from_date' | 'to_date'>;

/** Stores an instruction for a plan that this transaction has locked. */
export async function insertSkip(tx: Tx, skip: NewSkip): Promise<void> {
  const { id, plan_id, tenant, from_date, to_date } = skip;
  await tx.query(insert, [id, plan_id, tenant, from_date, to_date, tx.now]);
  await tx.query(gather, [plan_id]);
}

/** Cancels instructions of a plan that this transaction has locked. They stay effective up to and including `lastDay`. */
export async function cancelSkips(
  tx: Tx,
  { id, tenant }: Pick<Plan, 'id' | 'tenant'>,
  skips: readonly Pick<Skip, 'id'>[],
  lastDay: string,
): Promise<void> {
  await tx.query(cancel, [tenant, skips.map((skip) => skip.id), tx.now, lastDay]);
  await tx.query(gather, [id]);
}

export async function findSkip(db: Queryable, tenant: string, id: string): Promise<Skip | null> {
  return (await db.query<Skip>(find, [tenant, id]))[0] ?? null;
}

/** Newest first, after `before`. */
export function pageOfSkips(
  db: Queryable,
  tenant: string,
  plan: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<Skip[]> {
  return db.query<Skip>(list, [tenant, plan, before, limit]);
}

/** The instruction, which this transaction knows to exist. */
export async function knownSkip(tx: Tx, tenant: string, id: string): Promise<Skip> {
  const skip = await findSkip(tx, tenant, id);
  if (!skip) throw new Error(`${id} no longer exists`);
  return skip;
}

/** The active instructions of the plan on that day, oldest first. */
export function activeSkips(db: Queryable, tenant: string, plan: string, today: string): Promise<Skip[]> {
  return db.query<Skip>(active, [tenant, plan, today]);
}

/** The moved dates of a plan to come, in order, and how many of the last installments made were skipped. */
export interface ComingDates {
  readonly dates: readonly { readonly date: string; readonly skipped: boolean }[];
  readonly skippedBefore: number;
}

/** What a purchase plan that this transaction has locked may still skip. */
export async function findComingDates(tx: Tx, plan: string): Promise<ComingDates> {
  const dates = await tx.query<ComingDates['dates'][number]>(coming, [plan]);
  const [last] = await tx.query<{ skipped: number }>(lastSkipped, [plan]);
  return { dates, skippedBefore: last?.skipped ?? 0 };
}
