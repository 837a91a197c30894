import { addDays, type PlanFrequency } from '@fundrail/contracts';

/** The terms that determine a plan's dates (PLAN-12 to PLAN-15, SIP-10, SIP-11). Those with a default are a redemption plan's. */
export interface ScheduleTerms {
  readonly kind?: 'redemption' | 'purchase';
  readonly frequency?: PlanFrequency;
  /** Of the month, 1 to 28, so that every month has it and no date drifts; or of the week, from 1 (Monday). Null when `daily`. */
  readonly installment_day: number | null;
  readonly number_of_installments: number;
  /** The first installment is generated on the day of activation, in place of the first date on the plan's day (PLAN-14). */
  readonly first_now: boolean;
  /** A purchase that a mandate collects needs a day more, for the notice. */
  readonly payment_source?: number | null;
}

/** A plan's dates before holidays are applied. All are IST dates, `YYYY-MM-DD`. */
interface Schedule {
  /** The first date on the plan's day, early enough after activation. Installment `k` comes `k - 1` steps later. */
  readonly first_by_day: string;
  /** The nominal dates of the first and the last installment. Of a `daily` plan the earliest: business days come later. */
  readonly start_date: string;
  readonly end_date: string;
}

/** From one nominal date to the next. `daily` has none: its next date is the business day after the last moved one. */
export const STEPS: Readonly<
  Record<Exclude<PlanFrequency, 'daily'>, { readonly days: number } | { readonly months: number }>
> = {
  day_in_a_week: { days: 7 },
  day_in_a_fortnight: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  half_yearly: { months: 6 },
  yearly: { months: 12 },
};

const MONTHS = 12;
const WEEK = 7;

/** The same day of the month, that many months later, or the last day of a shorter month. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const count = year * MONTHS + (month - 1) + months;
  const [inYear, inMonth] = [Math.floor(count / MONTHS), (count % MONTHS) + 1];
  return dateOf(inYear, inMonth, Math.min(day, new Date(Date.UTC(inYear, inMonth, 0)).getUTCDate()));
}

/** The dates of a plan that becomes active on that IST date. */
export function scheduleFrom(terms: ScheduleTerms, activatedOn: string): Schedule {
  const first_by_day = firstByDay(terms, activatedOn);
  const start_date = terms.first_now ? activatedOn : first_by_day;
  const last = terms.number_of_installments;
  return {
    first_by_day,
    start_date,
    end_date: nominalDate({ first_by_day, start_date }, last, terms.frequency),
  };
}

/** The nominal date of installment `number`, from 1. */
export function nominalDate(
  { first_by_day, start_date }: Pick<Schedule, 'first_by_day' | 'start_date'>,
  number: number,
  frequency: PlanFrequency = 'monthly',
): string {
  if (number === 1) return start_date;
  const step = frequency === 'daily' ? { days: 1 } : STEPS[frequency];
  return 'days' in step
    ? addDays(first_by_day, step.days * (number - 1))
    : addMonths(first_by_day, step.months * (number - 1));
}

/** The first date by frequency and day that the activation leaves time for. */
function firstByDay(terms: ScheduleTerms, activatedOn: string): string {
  const { kind = 'redemption', frequency = 'monthly', installment_day, first_now, payment_source } = terms;
  const notBefore = addDays(activatedOn, kind === 'purchase' && payment_source ? 2 : 1);
  if (frequency === 'daily' || installment_day === null) return notBefore;
  // "Now" takes the place of this date, which may then be the day of activation itself.
  const least = kind === 'purchase' && first_now ? activatedOn : notBefore;
  return 'days' in STEPS[frequency] ? onWeekday(installment_day, least) : firstOnDay(installment_day, least);
}

/** The first date, from `least` on, that is this day of the week: 1 is Monday. */
function onWeekday(day: number, least: string): string {
  const weekday = new Date(`${least}T00:00:00Z`).getUTCDay();
  return addDays(least, (day - weekday + WEEK) % WEEK);
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
