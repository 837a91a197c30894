import type { Holidays } from '@fundrail/contracts';
import { currentTraceparent } from '@fundrail/messaging';
import { sql, type Queryable, type Tx } from '@fundrail/service-kit/db';
import type { CalendarColumns } from '../calendar/calendar-rows.ts';
import { CHECK_AGAIN, MANDATE_CHECK_DAYS, PLAN_DUE } from '../plan/plan-due.ts';

const CALENDAR_LOCK = 7266801;
/** A day may have a million plans, and what waits for the calendar waits for all of them. */
const WHOLE_CALENDAR = { timeoutMs: 300_000 };
const shareCalendar = sql('business_calendar.share', `SELECT pg_advisory_xact_lock_shared(${CALENDAR_LOCK})`);
const holdCalendar = sql(
  'business_calendar.hold',
  `SELECT pg_advisory_xact_lock(${CALENDAR_LOCK})`,
  WHOLE_CALENDAR,
);
const knownYears = sql('holiday_years.known', 'SELECT year FROM holiday_years ORDER BY year');
const clearYear = sql('holidays.clear', 'DELETE FROM holidays WHERE year = $1');
const setYear = sql(
  'holiday_years.set',
  `INSERT INTO holiday_years AS y (year, source, replaced_at, event_seq) VALUES ($1, $2, $3, 1)
   ON CONFLICT (year) DO UPDATE SET source = excluded.source, replaced_at = excluded.replaced_at, event_seq = y.event_seq + 1
   RETURNING event_seq`,
);
const insert = sql('holidays.insert', 'INSERT INTO holidays (day, year) SELECT unnest($2::date[]), $1');
const all = sql('holidays.all', 'SELECT year, day FROM holidays ORDER BY day');
/**
 * Writes days of the calendar anew and moves the next dates that were reckoned from those that have changed; the look at a
 * mandate moves along. What is due already is made as it was due, and no date is brought forward to a time that is past: the
 * installment would be made at once, on a day that is over, past the skips of its own date. Locks courses in the order of their
 * plans, as everybody does who locks several.
 */
const setCalendar = sql(
  'business_calendar.set',
  `WITH changed AS MATERIALIZED (
     SELECT b.day, b.generate_at AS was, g.moved, g.generate_at
       FROM unnest($1::date[], $2::date[], $3::timestamptz[]) AS g (day, moved, generate_at)
       JOIN business_calendar b ON b.day = g.day WHERE b.moved <> g.moved
   ), written AS (
     UPDATE business_calendar b SET moved = d.moved, generate_at = d.generate_at FROM changed d WHERE b.day = d.day
   ), held AS MATERIALIZED (
     SELECT c.plan_id, c.tenant, d.moved, d.generate_at
       FROM changed d JOIN plan_courses c ON c.generate_at = d.was AND c.next_nominal = d.day
      WHERE d.was > $4 AND d.generate_at > $4 ORDER BY c.plan_id FOR UPDATE OF c
   ), moved AS (
     UPDATE plan_courses c SET next_date = h.moved, generate_at = h.generate_at FROM held h WHERE c.plan_id = h.plan_id
   ), looked_at AS (
     INSERT INTO due_work (kind, key, tenant, due_at, traceparent)
     SELECT '${PLAN_DUE.checkMandate}', h.plan_id, h.tenant, h.generate_at - interval '${MANDATE_CHECK_DAYS * 24} hours', $5
       FROM held h JOIN redemption_plans p ON p.id = h.plan_id WHERE p.payment_source IS NOT NULL
     ${CHECK_AGAIN}
   )
   SELECT count(*) AS plans FROM held`,
  WHOLE_CALENDAR,
);

/** Keeps the calendar as it is until the transaction ends: a date that is reckoned from it is committed before it changes. */
export async function keepCalendar(tx: Tx): Promise<void> {
  await tx.query(shareCalendar);
}

/** The years whose holidays are known, in order. */
export async function findKnownYears(db: Queryable): Promise<number[]> {
  return (await db.query<{ year: number }>(knownYears)).map(({ year }) => year);
}

export interface HolidayYear {
  readonly year: number;
  readonly dates: readonly string[];
  readonly source: string;
}

/**
 * Puts a year's list in place of the one that was there, alone: one at a time, and while nobody keeps the calendar. Answers how many
 * events the year has had with this one.
 */
export async function replaceYear(tx: Tx, { year, dates, source }: HolidayYear): Promise<number> {
  await tx.query(holdCalendar);
  await tx.query(clearYear, [year]);
  const [row] = await tx.query<{ event_seq: number }>(setYear, [year, source, tx.now]);
  await tx.query(insert, [year, dates]);
  return row?.event_seq ?? 1;
}

/** The whole list. */
export async function findHolidays(db: Queryable): Promise<Holidays> {
  const rows = await db.query<{ year: number; day: string }>(all);
  const years = Map.groupBy(rows, ({ year }) => year);
  return new Map([...years].map(([year, days]) => [year, new Set(days.map(({ day }) => day))]));
}

/** Writes days of the calendar anew, and moves the next dates of plans with them. Answers how many plans. */
export async function setCalendarDays(tx: Tx, columns: CalendarColumns): Promise<number> {
  const [row] = await tx.query<{ plans: number }>(setCalendar, [...columns, tx.now, currentTraceparent()]);
  return row?.plans ?? 0;
}
