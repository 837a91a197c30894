import {
  addDays,
  isBusinessDay,
  PLAN_FREQUENCIES,
  type Holidays,
  type PlanFrequency,
} from '@fundrail/contracts';
import fc from 'fast-check';
import { movedDate } from '../calendar/business-days.ts';
import { DAY_MS } from '../testing/plan.builder.ts';
import { purchaseDates, walkedDates, type PurchaseTerms } from '../testing/purchase-dates.ts';
import { scheduleFrom } from './schedule.ts';

const DAYS_OF_FIFTY_YEARS = 18_263;
/** No list: weekends and the fixed national holidays. */
const NO_LIST: Holidays = new Map();

const terms = (
  frequency: PlanFrequency,
  installment_day: number | null,
  changes: Partial<PurchaseTerms> = {},
): PurchaseTerms => ({
  ...{ kind: 'purchase', frequency, installment_day, number_of_installments: 4 },
  ...{ first_now: false, payment_source: 1001, ...changes },
});
const BY_HAND = { payment_source: null };
const NOW = { first_now: true };

/** A plan, the day on which it becomes active, and its first dates. A year has no list, unless the case gives one. */
type Case = readonly [
  words: string,
  plan: PurchaseTerms,
  activatedOn: string,
  dates: readonly string[],
  list?: readonly string[],
];

const CASES: readonly Case[] = [
  [
    'monthly, on Monday for the day after tomorrow',
    terms('monthly', 6),
    '2027-01-04',
    ['2027-01-06', '2027-02-08', '2027-03-08', '2027-04-06'],
  ],
  [
    'monthly, tomorrow is too early for the notice: next month',
    terms('monthly', 5),
    '2027-01-04',
    ['2027-02-05', '2027-03-05', '2027-04-05', '2027-05-05'],
  ],
  [
    'monthly without a mandate, tomorrow is early enough',
    terms('monthly', 5, BY_HAND),
    '2027-01-04',
    ['2027-01-05', '2027-02-05', '2027-03-05', '2027-04-05'],
  ],
  [
    'monthly without a mandate, today is too late',
    terms('monthly', 4, BY_HAND),
    '2027-01-04',
    ['2027-02-04', '2027-03-04', '2027-04-05', '2027-05-04'],
  ],
  [
    'monthly on a Sunday moves to Monday',
    terms('monthly', 10),
    '2027-01-04',
    ['2027-01-11', '2027-02-10', '2027-03-10', '2027-04-12'],
  ],
  [
    'monthly on Republic Day, a Tuesday, moves to Wednesday',
    terms('monthly', 26),
    '2027-01-04',
    ['2027-01-27', '2027-02-26', '2027-03-26', '2027-04-26'],
  ],
  [
    'monthly on Labour Day, a Saturday, moves over the weekend',
    terms('monthly', 1),
    '2027-04-02',
    ['2027-05-03', '2027-06-01', '2027-07-01', '2027-08-02'],
  ],
  [
    'monthly on Independence Day, a Sunday',
    terms('monthly', 15),
    '2027-07-20',
    ['2027-08-16', '2027-09-15', '2027-10-15', '2027-11-15'],
  ],
  [
    'monthly on Gandhi Jayanti, a Saturday',
    terms('monthly', 2),
    '2027-09-10',
    ['2027-10-04', '2027-11-02', '2027-12-02', '2028-01-03'],
  ],
  [
    'monthly on Christmas, a Saturday',
    terms('monthly', 25),
    '2027-11-26',
    ['2027-12-27', '2028-01-25', '2028-02-25', '2028-03-27'],
  ],
  [
    'monthly on the 28th, over a February',
    terms('monthly', 28),
    '2027-01-20',
    ['2027-01-28', '2027-03-01', '2027-03-29', '2027-04-28'],
  ],
  [
    'monthly on the 28th of a leap February',
    terms('monthly', 28),
    '2028-02-10',
    ['2028-02-28', '2028-03-28', '2028-04-28', '2028-05-29'],
  ],
  [
    'monthly over the turn of the year',
    terms('monthly', 5),
    '2027-12-20',
    ['2028-01-05', '2028-02-07', '2028-03-06', '2028-04-05'],
  ],
  [
    'monthly, two days before the turn of the year',
    terms('monthly', 1),
    '2027-12-30',
    ['2028-01-03', '2028-02-01', '2028-03-01', '2028-04-03'],
  ],
  [
    'monthly, a listed holiday moves its date',
    terms('monthly', 6),
    '2027-01-04',
    ['2027-01-07', '2027-02-08', '2027-03-08', '2027-04-06'],
    ['2027-01-06'],
  ],
  [
    'monthly, a listed holiday after a weekend moves on',
    terms('monthly', 6),
    '2027-02-01',
    ['2027-02-09', '2027-03-08', '2027-04-06', '2027-05-06'],
    ['2027-02-08'],
  ],
  [
    'monthly, a listed year without Republic Day has none',
    terms('monthly', 26),
    '2027-01-04',
    ['2027-01-26', '2027-02-26', '2027-03-26', '2027-04-26'],
    ['2027-03-22'],
  ],
  [
    'monthly now, for a day later in the month',
    terms('monthly', 10, NOW),
    '2027-01-04',
    ['2027-01-04', '2027-02-10', '2027-03-10', '2027-04-12'],
  ],
  [
    'monthly now, on its own day',
    terms('monthly', 1, NOW),
    '2027-01-01',
    ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01'],
  ],
  [
    'monthly now, for the end of the month',
    terms('monthly', 28, NOW),
    '2027-01-01',
    ['2027-01-01', '2027-03-01', '2027-03-29', '2027-04-28'],
  ],
  [
    'monthly now, after its day: that of next month is replaced',
    terms('monthly', 3, NOW),
    '2027-01-04',
    ['2027-01-04', '2027-03-03', '2027-04-05', '2027-05-03'],
  ],
  [
    'monthly now, on a Sunday, is made on that day',
    terms('monthly', 10, NOW),
    '2027-01-10',
    ['2027-01-10', '2027-02-10', '2027-03-10', '2027-04-12'],
  ],
  [
    'monthly now without a mandate is the same',
    terms('monthly', 10, { ...NOW, ...BY_HAND }),
    '2027-01-04',
    ['2027-01-04', '2027-02-10', '2027-03-10', '2027-04-12'],
  ],
  [
    'daily by mandate starts the day after tomorrow',
    terms('daily', null),
    '2027-01-04',
    ['2027-01-06', '2027-01-07', '2027-01-08', '2027-01-11'],
  ],
  [
    'daily without a mandate starts tomorrow',
    terms('daily', null, BY_HAND),
    '2027-01-04',
    ['2027-01-05', '2027-01-06', '2027-01-07', '2027-01-08'],
  ],
  [
    'daily from a Thursday starts on Monday',
    terms('daily', null),
    '2027-01-07',
    ['2027-01-11', '2027-01-12', '2027-01-13', '2027-01-14'],
  ],
  [
    'daily over Republic Day',
    terms('daily', null),
    '2027-01-21',
    ['2027-01-25', '2027-01-27', '2027-01-28', '2027-01-29'],
  ],
  [
    'daily over a listed holiday',
    terms('daily', null),
    '2027-01-04',
    ['2027-01-06', '2027-01-08', '2027-01-11', '2027-01-12'],
    ['2027-01-07'],
  ],
  [
    'daily now by mandate keeps two days',
    terms('daily', null, NOW),
    '2027-01-04',
    ['2027-01-04', '2027-01-06', '2027-01-07', '2027-01-08'],
  ],
  [
    'daily now without a mandate keeps one',
    terms('daily', null, { ...NOW, ...BY_HAND }),
    '2027-01-04',
    ['2027-01-04', '2027-01-05', '2027-01-06', '2027-01-07'],
  ],
  [
    'daily now on a Sunday',
    terms('daily', null, NOW),
    '2027-01-10',
    ['2027-01-10', '2027-01-12', '2027-01-13', '2027-01-14'],
  ],
  [
    'each Monday',
    terms('day_in_a_week', 1),
    '2027-01-04',
    ['2027-01-11', '2027-01-18', '2027-01-25', '2027-02-01'],
  ],
  [
    'each Wednesday, this week',
    terms('day_in_a_week', 3),
    '2027-01-04',
    ['2027-01-06', '2027-01-13', '2027-01-20', '2027-01-27'],
  ],
  [
    'each Tuesday, where Republic Day moves one date and no other',
    terms('day_in_a_week', 2),
    '2027-01-10',
    ['2027-01-12', '2027-01-19', '2027-01-27', '2027-02-02'],
  ],
  [
    'each Friday without a mandate, from a Thursday',
    terms('day_in_a_week', 5, BY_HAND),
    '2027-01-07',
    ['2027-01-08', '2027-01-15', '2027-01-22', '2027-01-29'],
  ],
  [
    'each Monday now, from a Friday',
    terms('day_in_a_week', 1, NOW),
    '2027-01-01',
    ['2027-01-01', '2027-01-11', '2027-01-18', '2027-01-25'],
  ],
  [
    'each second Wednesday',
    terms('day_in_a_fortnight', 3),
    '2027-01-04',
    ['2027-01-06', '2027-01-20', '2027-02-03', '2027-02-17'],
  ],
  [
    'quarterly on the 15th counts from the first date, not by calendar quarters',
    terms('quarterly', 15),
    '2027-01-04',
    ['2027-01-15', '2027-04-15', '2027-07-15', '2027-10-15'],
  ],
  [
    'half-yearly on Labour Day, a Saturday and then a Monday',
    terms('half_yearly', 1),
    '2027-04-10',
    ['2027-05-03', '2027-11-01', '2028-05-02', '2028-11-01'],
  ],
  [
    'yearly on Republic Day',
    terms('yearly', 26),
    '2027-01-04',
    ['2027-01-27', '2028-01-27', '2029-01-29', '2030-01-28'],
  ],
];

const aDay = fc.integer({ min: 0, max: DAYS_OF_FIFTY_YEARS }).map((days) => addDays('2026-01-01', days));
const someHolidays = fc
  .array(aDay, { maxLength: 400 })
  .map(
    (dates): Holidays =>
      new Map(
        [...Map.groupBy(dates, (date) => Number(date.slice(0, 4)))].map(([year, of]) => [year, new Set(of)]),
      ),
  );
/** So many installments are 50 years, or 1200. */
const MOST: Readonly<Partial<Record<PlanFrequency, number>>> = {
  monthly: 600,
  quarterly: 200,
  half_yearly: 100,
  yearly: 50,
};
const aPlan = fc
  .record({
    frequency: fc.constantFrom(...PLAN_FREQUENCIES),
    number_of_installments: fc.integer({ min: 1, max: 1200 }),
    first_now: fc.boolean(),
    payment_source: fc.constantFrom(1001, null),
    day: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ day, frequency, number_of_installments: asked, ...rest }): PurchaseTerms => {
    const weekly = frequency === 'day_in_a_week' || frequency === 'day_in_a_fortnight';
    const installment_day = frequency === 'daily' ? null : weekly ? (day % 5) + 1 : day;
    const number_of_installments = Math.min(asked, MOST[frequency] ?? asked);
    return { ...rest, kind: 'purchase', frequency, installment_day, number_of_installments };
  });

describe('the dates of purchase plans (SIP-10, SIP-11)', () => {
  it('are given by 40 cases', () => {
    expect(CASES).toHaveLength(40);
  });

  it.each(CASES.map((one) => [one[0], one] as const))('%s', (_words, [, plan, activatedOn, dates, list]) => {
    const holidays: Holidays = list ? new Map([[2027, new Set(list)]]) : NO_LIST;
    expect(purchaseDates(plan, activatedOn, holidays).map(({ date }) => date)).toEqual(dates);
    expect(walkedDates(plan, activatedOn, holidays)).toEqual(dates);
  });

  it('equal a walk over every day, over 50 years, with any holidays', () => {
    fc.assert(
      fc.property(aPlan, aDay, someHolidays, (plan, activatedOn, holidays) => {
        const dates = purchaseDates(plan, activatedOn, holidays).map(({ date }) => date);
        expect(dates).toEqual(walkedDates(plan, activatedOn, holidays));
      }),
      { numRuns: 100 },
    );
  });

  it('leave time for the notice, never drift, and never fall on a closed day but "now"', () => {
    fc.assert(
      fc.property(aPlan, aDay, someHolidays, (plan, activatedOn, holidays) => {
        const { first_by_day } = scheduleFrom(plan, activatedOn);
        const [first, ...others] = purchaseDates(plan, activatedOn, holidays);
        const regular = plan.first_now ? others : [first, ...others];
        const least = addDays(activatedOn, plan.payment_source === null ? 1 : 2);
        for (const installment of regular) {
          if (!installment) continue;
          expect(installment.date >= least).toBe(true);
          expect(installment.date).toBe(movedDate(installment.nominal, holidays));
          expect(isBusinessDay(installment.date, holidays)).toBe(true);
        }
        if (plan.frequency === 'day_in_a_week' || plan.frequency === 'day_in_a_fortnight')
          for (const { nominal } of others)
            expect(((Date.parse(nominal) - Date.parse(first_by_day)) / DAY_MS) % 7).toBe(0);
        else if (plan.frequency !== 'daily')
          for (const { nominal } of others) expect(nominal.slice(8)).toBe(first_by_day.slice(8));
      }),
      { numRuns: 60 },
    );
  });
});
