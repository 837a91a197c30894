import { EVENTS, parseJson, planInstallment, type PlanInstallment } from '@fundrail/contracts';
import { currentTraceparent } from '@fundrail/messaging';
import { sql, type Queryable, type Statement, type Tx } from '@fundrail/persistence';
import { keepCalendar } from '../holiday/holiday.repository.ts';
import { CHECK_AGAIN, MANDATE_CHECK_DAYS, PLAN_DUE } from '../plan/plan-due.ts';

const GENERATED = 'mf_redemption_plan.installment_generated';

/** A time-ordered id in the format of `newId`: 48 bits of the time in milliseconds, the version, 74 random bits. */
const newId = (prefix: string) =>
  `'${prefix}_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
     || substr(replace(gen_random_uuid()::text, '-', ''), 14)`;

/** The JSON of `planInstallment`, built from its fixed head and an installment's columns. PostgreSQL escapes what needs escaping. */
const jsonOf = (columns: {
  head: string;
  consent: string;
  userIp: string;
  number: string;
  redemption: string;
  state: string;
  nominal: string;
  date: string;
}) =>
  `${columns.head} || ',"consent":' || CASE WHEN ${columns.state} = 'cancelled' THEN 'null,"user_ip":null'
          ELSE ${columns.consent} || ',"user_ip":' || coalesce(to_json(${columns.userIp})::text, 'null') END
     || ',"installment_number":' || ${columns.number} || ',"redemption":"' || ${columns.redemption}
     || '","state":"' || ${columns.state} || '","nominal_date":"' || ${columns.nominal} || '","date":"' || ${columns.date} || '"}'`;

const MADE_JSON = jsonOf({
  head: 'installment_head',
  consent: 'consent::text',
  userIp: 'user_ip',
  number: 'number',
  redemption: 'redemption',
  state: 'state',
  nominal: 'next_nominal',
  date: 'next_date',
});
const STORED_JSON = jsonOf({
  head: 'p.installment_head',
  consent: 'p.consent::text',
  userIp: 'p.user_ip',
  number: 'i.installment_number',
  redemption: 'i.redemption',
  state: 'i.state',
  nominal: 'i.nominal_date',
  date: 'i.date',
});

/**
 * Generates one installment for each plan due at $1: up to $2 plans, earliest first, or only the plan $2. Writes the installment,
 * advances the plan's course, appends the event for orders, and schedules the next mandate check. A plan that another scheduler or
 * a request has locked is skipped and comes with that scheduler or the next batch. A row that changed in the meantime is read
 * again, so skips and cancels count up to this moment. The following date comes from the schedule (`first_by_day` plus that many
 * months), moved by the business calendar. `OFFSET 0` and `= ANY` keep every plan of the statement from reading other rows (decision
 * 0010).
 */
const generation = (which: string) =>
  `WITH due AS MATERIALIZED (
     SELECT plan_id, tenant, event_seq, number_of_installments, made, first_by_day, next_nominal, next_date, generate_at, skips
       FROM plan_courses WHERE generate_at <= $1 AND ${which} FOR UPDATE SKIP LOCKED
   ), made AS MATERIALIZED (
     SELECT d.plan_id, d.tenant, d.event_seq + 1 AS event_seq, d.made + 1 AS number, d.next_nominal, d.next_date, d.generate_at,
            CASE WHEN d.skips @> d.next_date THEN 'cancelled' ELSE 'under_review' END AS state,
            ${newId('mfrd')} AS redemption, p.installment_head, p.consent, p.user_ip, p.payment_source,
            following.day AS following_nominal, following.moved AS following_date, following.generate_at AS following_at
       FROM due d
       CROSS JOIN LATERAL (SELECT * FROM redemption_plans WHERE id = d.plan_id OFFSET 0) p
       LEFT JOIN LATERAL (
         SELECT * FROM business_calendar WHERE day = (d.first_by_day + make_interval(months => d.made + 1))::date OFFSET 0) following
         ON d.made + 1 < d.number_of_installments
   ), moved AS (
     UPDATE plan_courses c
        SET event_seq = m.event_seq, made = m.number, previous_date = m.next_date, next_nominal = m.following_nominal,
            next_date = m.following_date, generate_at = m.following_at
       FROM made m WHERE c.plan_id = m.plan_id AND c.plan_id = ANY (ARRAY(SELECT plan_id FROM made))
   ), stored AS (
     INSERT INTO plan_installments
            (plan_id, installment_number, tenant, redemption, state, nominal_date, date, generated_at)
     SELECT plan_id, number, tenant, redemption, state, next_nominal, next_date, $1 FROM made
   ), published AS (
     INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data, traceparent)
     SELECT ${newId('evt')}, '${GENERATED}', ${EVENTS[GENERATED].version}, tenant, plan_id, event_seq, $1,
            '{"object":' || ${MADE_JSON} || ',"previous_attributes":null}', $3
       FROM made
   ), looked_at AS (
     INSERT INTO due_work (kind, key, tenant, due_at, traceparent)
     SELECT '${PLAN_DUE.checkMandate}', plan_id, tenant, following_at - interval '${MANDATE_CHECK_DAYS * 24} hours', $3
       FROM made WHERE payment_source IS NOT NULL AND following_at IS NOT NULL
     ${CHECK_AGAIN}
   )
   SELECT count(*) AS installments, count(*) FILTER (WHERE state = 'cancelled') AS skipped, min(generate_at) AS earliest,
          max(generate_at) AS latest FROM made`;
const generate = sql('plan_courses.generate', generation('true ORDER BY generate_at LIMIT $2'));
const generateOne = sql('plan_courses.generate_one', generation('plan_id = $2'));
const firstDue = sql(
  'plan_courses.first_due',
  'SELECT plan_id, tenant FROM plan_courses WHERE generate_at <= $1 ORDER BY generate_at LIMIT 1',
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
  `SELECT '' || ${STORED_JSON} AS text FROM plan_installments i JOIN redemption_plans p ON p.id = i.plan_id
    WHERE i.tenant = $1 AND i.plan_id = $2 AND i.installment_number = $3`,
);
const end = sql(
  'plan_installments.end',
  `UPDATE plan_installments SET ended_at = $5
    WHERE tenant = $1 AND plan_id = $2 AND installment_number = $3 AND redemption = $4 AND ended_at IS NULL
   RETURNING installment_number`,
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

/** Generates one installment of each of up to `most` due plans, in one statement. */
export function generateInstallments(tx: Tx, most: number): Promise<Generated> {
  return generateBy(tx, generate, most);
}

/** Generates the plan's due installment; none when it is not due, or when another transaction has locked the plan. */
export function generateInstallmentOf(tx: Tx, plan: string): Promise<Generated> {
  return generateBy(tx, generateOne, plan);
}

/** Two statements, because the second has to see the calendar that the first has locked. */
async function generateBy(tx: Tx, statement: Statement, which: number | string): Promise<Generated> {
  await keepCalendar(tx);
  const [row] = await tx.query<Generated>(statement, [tx.now, which, currentTraceparent()]);
  if (!row) throw new Error('the generation returned no row');
  if (row.installments > 0) tx.signal('outbox');
  return row;
}

/** A plan whose installment is due. */
interface DuePlan {
  readonly plan_id: string;
  readonly tenant: string;
}

/** The plan that is due first at `now`, or null. */
export async function firstDuePlan(db: Queryable, now: Date): Promise<DuePlan | null> {
  return (await db.query<DuePlan>(firstDue, [now]))[0] ?? null;
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

/** An installment, drawn or generated, by its plan and number, or null. */
export async function findInstallment(
  db: Queryable,
  tenant: string,
  of: { readonly plan: string; readonly installment_number: number },
): Promise<PlanInstallment | null> {
  const [row] = await db.query<{ text: string }>(find, [tenant, of.plan, of.installment_number]);
  return row ? planInstallment.parse(parseJson(row.text)) : null;
}

/** Records that the installment's redemption has ended. Returns false when the end was known, or when the installment is unknown. */
export async function endInstallment(
  tx: Tx,
  tenant: string,
  of: { readonly plan: string; readonly installment_number: number; readonly redemption: string },
): Promise<boolean> {
  const { plan, installment_number, redemption } = of;
  return (await tx.query(end, [tenant, plan, installment_number, redemption, tx.now])).length === 1;
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
 * Whether this transaction may generate a batch. Only one scheduler may at a time: more would not raise the throughput, and the
 * commits of requests would wait for all that they write. It is not needed for exactly-once; the row locks ensure that.
 */
export async function takeTurn(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ is_mine: boolean }>(TURN);
  return row?.is_mine ?? false;
}
