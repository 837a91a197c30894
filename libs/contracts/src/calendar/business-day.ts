import { addDays } from '../time.ts';
import { EQUITY_HOLIDAYS } from './equity-holidays.ts';

const SUNDAY = 0;
const SATURDAY = 6;

/** Whether the equity segment trades on that date (`YYYY-MM-DD`, IST). */
export function isBusinessDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (day === SUNDAY || day === SATURDAY) return false;
  return !EQUITY_HOLIDAYS[Number(date.slice(0, 4))]?.includes(date);
}

/** The `count`-th business day after `date`; `date` itself is never counted. */
export function businessDaysAfter(date: string, count: number): string {
  let day = date;
  for (let left = count; left > 0;) {
    day = addDays(day, 1);
    if (isBusinessDay(day)) left -= 1;
  }
  return day;
}
