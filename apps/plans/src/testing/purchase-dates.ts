import { addDays, type Holidays, type PlanFrequency } from '@fundrail/contracts';
import { movedDate } from '../calendar/business-days.ts';
import { nominalDate, scheduleFrom } from '../schedule/schedule.ts';

/** The terms of a purchase plan that determine its dates. */
export interface PurchaseTerms {
  readonly kind: 'purchase';
  readonly frequency: PlanFrequency;
  readonly installment_day: number | null;
  readonly number_of_installments: number;
  readonly first_now: boolean;
  readonly payment_source: number | null;
}

interface Dates {
  readonly nominal: string;
  readonly date: string;
}

const DAY_MS = 86_400_000;

/** The dates by the pure schedule. */
export function purchaseDates(plan: PurchaseTerms, activatedOn: string, holidays: Holidays): Dates[] {
  const schedule = scheduleFrom(plan, activatedOn);
  const dates: Dates[] = [];
  for (let number = 1; number <= plan.number_of_installments; number += 1) {
    const isNow = plan.first_now && number === 1;
    const nominal = isNow
      ? activatedOn
      : plan.frequency === 'daily'
        ? laterOf(schedule.first_by_day, dates.at(-1)?.date)
        : nominalDate(schedule, number, plan.frequency);
    dates.push({ nominal, date: isNow ? nominal : movedDate(nominal, holidays) });
  }
  return dates;
}

function laterOf(first: string, last: string | undefined): string {
  const after = last === undefined ? first : addDays(last, 1);
  return after > first ? after : first;
}

const EVERY_YEAR = ['01-26', '05-01', '08-15', '10-02', '12-25'];
const MONTHS: Readonly<Partial<Record<PlanFrequency, number>>> = {
  monthly: 1,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
};

/**
 * A second, independent implementation: it walks the days one by one with JavaScript's own calendar, counts the weeks or months since
 * the first day that fits, and makes what has fallen due on the next open day.
 */
export function walkedDates(plan: PurchaseTerms, activatedOn: string, holidays: Holidays): string[] {
  const { frequency, installment_day, number_of_installments, first_now } = plan;
  const start = Date.parse(activatedOn);
  const early = start + (plan.payment_source === null ? 1 : 2) * DAY_MS;
  const dates: string[] = first_now ? [activatedOn] : [];
  let first: Date | null = null;
  let waiting = 0;
  let due = 0;
  for (let at = start; dates.length < number_of_installments; at += DAY_MS) {
    const day = new Date(at);
    const text = day.toISOString().slice(0, 10);
    const isOpen = isOpenOn(day, text, holidays);
    if (frequency === 'daily') {
      if (at >= early && isOpen) dates.push(text);
      continue;
    }
    const months = MONTHS[frequency];
    const fits =
      months === undefined ? day.getUTCDay() === installment_day : day.getUTCDate() === installment_day;
    if (fits && (first !== null || at >= (first_now ? start : early))) {
      first ??= day;
      const isDue =
        months === undefined
          ? ((at - first.getTime()) / DAY_MS) % (frequency === 'day_in_a_week' ? 7 : 14) === 0
          : monthsBetween(first, day) % months === 0;
      // "Now" has taken the place of the first.
      if (isDue && due < number_of_installments) {
        if (!(first_now && due === 0)) waiting += 1;
        due += 1;
      }
    }
    if (!isOpen) continue;
    for (; waiting > 0; waiting -= 1) dates.push(text);
  }
  return dates;
}

function isOpenOn(day: Date, text: string, holidays: Holidays): boolean {
  const listed = holidays.get(day.getUTCFullYear());
  const isClosed = listed ? listed.has(text) : EVERY_YEAR.includes(text.slice(5));
  return day.getUTCDay() % 6 !== 0 && !isClosed;
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}
