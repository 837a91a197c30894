import { addDays } from '../time.ts';
import { EQUITY_HOLIDAYS } from './equity-holidays.ts';

/** The weekdays on which nothing is processed, by year. A year without an entry has weekends only (contract §10 "Plans"). */
export interface Holidays {
  get(year: number): ReadonlySet<string> | undefined;
}

/** The list that every service begins with, before the operator replaces a year of it (contract §8). */
export const SEEDED_HOLIDAYS: ReadonlyMap<number, ReadonlySet<string>> = new Map(
  Object.entries(EQUITY_HOLIDAYS).map(([year, days]) => [Number(year), new Set(days)]),
);

const SUNDAY = 0;
const SATURDAY = 6;

/** A business date's year. */
export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** Whether that date (`YYYY-MM-DD`, IST) is neither of a weekend nor a holiday. */
export function isBusinessDay(date: string, holidays: Holidays): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (day === SUNDAY || day === SATURDAY) return false;
  return !holidays.get(yearOf(date))?.has(date);
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
