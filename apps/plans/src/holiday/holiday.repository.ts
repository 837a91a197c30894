import type { Holidays } from '@fundrail/contracts';
import { currentTraceparent } from '@fundrail/messaging';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { CalendarColumns } from '../calendar/calendar-rows.ts';
import { CHECK_AGAIN, MANDATE_CHECK_DAYS, PLAN_DUE } from '../plan/plan-due.ts';

const CALENDAR_LOCK = 7266801;
/** A day may have a million plans, and a replacement waits for the transactions of all of them. */
const WHOLE_CALENDAR = { timeoutMs: 300_000 };
const shareCalendar = sql('business_calendar.share', `SELECT pg_advisory_xact_lock_shared(${CALENDAR_LOCK})`);
/** Waits for every transaction that holds the shared lock, then holds the calendar exclusively. */
export const holdCalendar = sql(
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
const all = sql(
  'holidays.all',
  'SELECT y.year, h.day FROM holiday_years y LEFT JOIN holidays h ON h.year = y.year ORDER BY h.day',
);
/**
 * Rewrites days of the calendar and moves the next dates that were computed from a changed day, with their mandate checks. An
 * installment that is already due keeps its date. No date moves to a time that is past: its installment would be generated
 * immediately, for a day that is over, and the skips of its original date would not apply. Courses are locked in the order of their
 * plans, as in every statement that locks several. Purchases by mandate are generated a day earlier, and `daily` plans, which have no
 * day, have no checks. A migration that is older than the second kind runs it too, so it names no column of that.
 */
export const setCalendar = sql(
  'business_calendar.set',
  `WITH changed AS MATERIALIZED (
     SELECT b.day, b.generate_at AS was, g.moved, g.generate_at
       FROM unnest($1::date[], $2::date[], $3::timestamptz[]) AS g (day, moved, generate_at)
       JOIN business_calendar b ON b.day = g.day WHERE b.moved <> g.moved
   ), written AS (
     UPDATE business_calendar b SET moved = d.moved, generate_at = d.generate_at FROM changed d WHERE b.day = d.day
   ), held AS MATERIALIZED (
     SELECT c.plan_id, c.tenant, d.moved, d.generate_at, d.generate_at - (d.was - c.generate_at) AS due_at
       FROM changed d JOIN plan_courses c
         ON c.generate_at IN (d.was, d.was - interval '1 day') AND c.next_nominal = d.day
      WHERE c.generate_at > $4 AND d.generate_at - (d.was - c.generate_at) > $4 ORDER BY c.plan_id FOR UPDATE OF c
   ), moved AS (
     UPDATE plan_courses c SET next_date = h.moved, generate_at = h.due_at FROM held h WHERE c.plan_id = h.plan_id
   ), looked_at AS (
     INSERT INTO due_work (kind, key, tenant, due_at, traceparent)
     SELECT '${PLAN_DUE.checkMandate}', h.plan_id, h.tenant, h.generate_at - interval '${MANDATE_CHECK_DAYS * 24} hours', $5
       FROM held h JOIN redemption_plans p ON p.id = h.plan_id WHERE p.payment_source IS NOT NULL AND p.installment_day IS NOT NULL
     ${CHECK_AGAIN}
   )
   SELECT count(*) AS plans FROM held`,
  WHOLE_CALENDAR,
);

/**
 * Holds the calendar unchanged until the transaction ends, so that a date computed from it is committed before the calendar
 * changes.
 */
export async function keepCalendar(tx: Tx): Promise<void> {
  await tx.query(shareCalendar);
}

/** The years whose holidays are known, in order. */
export async function findKnownYears(db: Queryable): Promise<number[]> {
  return (await db.query<{ year: number }>(knownYears)).map(({ year }) => year);
}

interface HolidayYear {
  readonly year: number;
  readonly dates: readonly string[];
  readonly source: string;
}

/** Replaces a year's list under the exclusive calendar lock. Returns how many events the year has, this one included. */
export async function replaceYear(tx: Tx, { year, dates, source }: HolidayYear): Promise<number> {
  await tx.query(holdCalendar);
  await tx.query(clearYear, [year]);
  const [row] = await tx.query<{ event_seq: number }>(setYear, [year, source, tx.now]);
  await tx.query(insert, [year, dates]);
  return row?.event_seq ?? 1;
}

/** The whole list. A year whose list is empty is included: then its national holidays are business days. */
export async function findHolidays(db: Queryable): Promise<Holidays> {
  const rows = await db.query<{ year: number; day: string | null }>(all);
  const years = Map.groupBy(rows, ({ year }) => year);
  return new Map([...years].map(([year, days]) => [year, new Set(days.flatMap(({ day }) => day ?? []))]));
}

/** Rewrites days of the calendar and moves the next dates of plans with them. Returns the number of moved plans. */
export async function setCalendarDays(tx: Tx, columns: CalendarColumns): Promise<number> {
  const [row] = await tx.query<{ plans: number }>(setCalendar, [...columns, tx.now, currentTraceparent()]);
  return row?.plans ?? 0;
}
