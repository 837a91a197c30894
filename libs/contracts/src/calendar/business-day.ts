import { addDays } from '../time.ts';
import { EQUITY_HOLIDAYS } from './equity-holidays.ts';

/** The weekdays on which nothing is processed, by year. A year without an entry has the fixed national holidays (CONV-34). */
export interface Holidays {
  get(year: number): ReadonlySet<string> | undefined;
}

/** The initial list of every service, before an operator replaces a year of it (ADMIN-10). */
export const SEEDED_HOLIDAYS: ReadonlyMap<number, ReadonlySet<string>> = new Map(
  Object.entries(EQUITY_HOLIDAYS).map(([year, days]) => [Number(year), new Set(days)]),
);

/** Month and day of the holidays of every year. The list of a year contains them too. */
const NATIONAL_HOLIDAYS: ReadonlySet<string> = new Set(['01-26', '05-01', '08-15', '10-02', '12-25']);

const SUNDAY = 0;
const SATURDAY = 6;

/** A business date's year. */
export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** Whether that date (`YYYY-MM-DD`, IST) is neither on a weekend nor a holiday. */
export function isBusinessDay(date: string, holidays: Holidays): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (day === SUNDAY || day === SATURDAY) return false;
  const listed = holidays.get(yearOf(date));
  return listed ? !listed.has(date) : !NATIONAL_HOLIDAYS.has(date.slice('YYYY-'.length));
}

/** The `count`-th business day after `date`; `date` itself is never counted. */
export function businessDaysAfter(date: string, count: number, holidays: Holidays): string {
  let day = date;
  for (let left = count; left > 0;) {
    day = addDays(day, 1);
    if (isBusinessDay(day, holidays)) left -= 1;
  }
  return day;
}
