import { addDays } from '@fundrail/contracts';

/** The terms that determine a plan's dates (PLAN-12 to PLAN-15). */
export interface ScheduleTerms {
  /** 1 to 28, so that every month has it and no date drifts. */
  readonly installment_day: number;
  readonly number_of_installments: number;
  /** The first installment is generated on the day of activation, in place of the first date on the plan's day (PLAN-14). */
  readonly first_now: boolean;
}

/** A plan's dates before holidays are applied. All are IST dates, `YYYY-MM-DD`. */
interface Schedule {
  /** The first date on the plan's day of the month, at least one day after activation. Installment `k` comes `k - 1` months later. */
  readonly first_by_day: string;
  /** The nominal dates of the first and the last installment. */
  readonly start_date: string;
  readonly end_date: string;
}

const MONTHS = 12;

/** The same day of the month, that many months later. The day is at most 28. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const count = year * MONTHS + (month - 1) + months;
  return dateOf(Math.floor(count / MONTHS), (count % MONTHS) + 1, day);
}

/** The dates of a plan that becomes active on that IST date. */
export function scheduleFrom(terms: ScheduleTerms, activatedOn: string): Schedule {
  const first_by_day = firstOnDay(terms.installment_day, addDays(activatedOn, 1));
  const start_date = terms.first_now ? activatedOn : first_by_day;
  const last = terms.number_of_installments;
  return { first_by_day, start_date, end_date: nominalDate({ first_by_day, start_date }, last) };
}

/** The nominal date of installment `number`, from 1. */
export function nominalDate(
  { first_by_day, start_date }: Pick<Schedule, 'first_by_day' | 'start_date'>,
  number: number,
): string {
  return number === 1 ? start_date : addMonths(first_by_day, number - 1);
}

/** The first date, from `least` on, that has this day of the month. */
function firstOnDay(day: number, least: string): string {
  const inSameMonth = `${least.slice(0, 8)}${twoDigits(day)}`;
  return inSameMonth >= least ? inSameMonth : addMonths(inSameMonth, 1);
}

function dateOf(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
