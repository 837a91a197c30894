import { EQUITY_HOLIDAYS, SEEDED_HOLIDAYS, type Holidays } from '@fundrail/contracts';
import { movedDate } from './business-days.ts';

/** Installments are generated at this time of their day, IST (PLAN-16). */
export const GENERATION_TIME = '00:05';

/** A hundred years of installments for plans created until 2050. */
const FIRST_DAY = '2020-01-01';
const LAST_DAY = '2150-12-31';

/** The columns of `business_calendar`: the day, the day it moves to, and when its installments are generated. */
export type CalendarColumns = [days: string[], moved: string[], generateAt: string[]];

/** The source of the seeded list; libs/contracts states how it was compiled. */
const SEED_SOURCE = 'NSE and BSE, equity segment: yearly lists of trading holidays';

/** The holiday list that a new database starts with. */
export function seededHolidays(): { years: number[]; days: string[]; source: string } {
  const years = Object.keys(EQUITY_HOLIDAYS).map(Number);
  return { years, days: Object.values(EQUITY_HOLIDAYS).flat(), source: SEED_SOURCE };
}

const DAY_MS = 86_400_000;

/**
 * The calendar of the days from `from` to `to`, both included. Counted in milliseconds for speed: the whole calendar has 48,000
 * days, and every new database waits for it.
 */
export function calendarColumns(
  holidays: Holidays = SEEDED_HOLIDAYS,
  from: string = FIRST_DAY,
  to: string = LAST_DAY,
): CalendarColumns {
  const columns: CalendarColumns = [[], [], []];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    const moved = movedDate(day, holidays);
    columns[0].push(day);
    columns[1].push(moved);
    columns[2].push(`${moved}T${GENERATION_TIME}:00+05:30`);
  }
  return columns;
}
