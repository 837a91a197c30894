import { addDays } from '@fundrail/contracts';
import type { Answer } from './buyer-app.ts';

const SUNDAY = 0;
const SATURDAY = 6;
const WEEK = 7;
const COLUMNS = ['no.', 'nominal', 'actual', 'why moved', 'state', 'redeemed'] as const;

/** The first Saturday of the month after next, as a day of the month: 1 to 7. `now` is an IST timestamp. */
export function saturdayTwoMonthsOn(now: string): number {
  const first = addMonths(`${now.slice(0, 8)}01`, 2);
  return 1 + ((SATURDAY - weekdayOf(first) + WEEK) % WEEK);
}

/**
 * The installments of a monthly plan, in order, as a table. `start` is the plan's first nominal date. A date that is not a business
 * day moves to the next one (PLAN-13).
 */
export function dateTable(start: string, installments: readonly Answer[]): string {
  const rows = installments.map((installment, index) => {
    const { installment_number, scheduled_on, state, redeemed_amount } = installment;
    const nominal = addMonths(start, index);
    const actual = String(scheduled_on);
    const redeemed = typeof redeemed_amount === 'number' ? `₹${redeemed_amount}` : '-';
    return [String(installment_number), nominal, actual, whyMoved(nominal, actual), String(state), redeemed];
  });
  return tableOf([COLUMNS, ...rows]);
}

/** The kind of each day that the installment skipped. A weekday that is not a business day is a holiday. */
export function whyMoved(nominal: string, actual: string): string {
  const days: string[] = [];
  for (let day = nominal; day < actual; day = addDays(day, 1)) days.push(dayName(day));
  return days.length === 0 ? '-' : days.join(', ');
}

function dayName(date: string): string {
  const weekday = weekdayOf(date);
  if (weekday === SATURDAY) return 'Saturday';
  return weekday === SUNDAY ? 'Sunday' : 'holiday';
}

function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The same day some months later. Every month has the day of a plan. */
function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, day)).toISOString().slice(0, 10);
}

/** Rows of texts as a table; the first one is the head. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
