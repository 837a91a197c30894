import { addDays, EQUITY_HOLIDAYS, LAST_INSTALLMENT_DAY } from '@fundrail/contracts';
import fc from 'fast-check';
import { yearRanges, movedDate, unknownYears } from '../calendar/business-days.ts';
import { nominalDate, scheduleFrom, type ScheduleTerms } from './schedule.ts';

type Holidays = ReadonlyMap<number, ReadonlySet<string>>;

const DAY_MS = 86_400_000;
const FIFTY_YEARS = 600;

const listed: Holidays = new Map(
  Object.entries(EQUITY_HOLIDAYS).map(([year, dates]) => [Number(year), new Set(dates)]),
);

const terms = (installment_day: number, number_of_installments = 12, first_now = false): ScheduleTerms => ({
  installment_day,
  number_of_installments,
  first_now,
});

/** Every installment's nominal and moved date. */
function datesOf(asked: ScheduleTerms, activatedOn: string, holidays: Holidays) {
  const schedule = scheduleFrom(asked, activatedOn);
  return Array.from({ length: asked.number_of_installments }, (_, index) => {
    const nominal = nominalDate(schedule, index + 1);
    const date = asked.first_now && index === 0 ? nominal : movedDate(nominal, holidays);
    return { nominal, date };
  });
}

const EVERY_YEAR = ['01-26', '05-01', '08-15', '10-02', '12-25'];

/**
 * A second, independent implementation of PLAN-12 to PLAN-15. It walks the days one by one with JavaScript's own calendar, from the
 * day after the activation. A day with the plan's number is a nominal date; its moved date is the next day that is neither a
 * weekend nor listed. A year without a list has its five fixed holidays.
 */
function walked(asked: ScheduleTerms, activatedOn: string, holidays: Holidays) {
  const listedDays = new Set([...holidays.values()].flatMap((dates) => [...dates]));
  const found: { nominal: string; date: string }[] = [];
  const waiting: string[] = [];
  let due = 0;
  for (let at = Date.parse(activatedOn) + DAY_MS; found.length < asked.number_of_installments; at += DAY_MS) {
    const day = new Date(at);
    const text = day.toISOString().slice(0, 10);
    if (day.getUTCDate() === asked.installment_day && due < asked.number_of_installments) {
      due += 1;
      if (asked.first_now && due === 1) found.push({ nominal: activatedOn, date: activatedOn });
      else waiting.push(text);
    }
    const isListed = holidays.get(day.getUTCFullYear()) !== undefined;
    const isClosed = isListed ? listedDays.has(text) : EVERY_YEAR.includes(text.slice(5));
    const isOpen = day.getUTCDay() % 6 !== 0 && !isClosed;
    if (isOpen) for (const nominal of waiting.splice(0)) found.push({ nominal, date: text });
  }
  return found;
}

const aDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2025-01-01', days));
const someHolidays = fc
  .array(aDay, { maxLength: 400 })
  .map(
    (dates): Holidays =>
      new Map(
        [...Map.groupBy(dates, (date) => Number(date.slice(0, 4)))].map(([year, of]) => [year, new Set(of)]),
      ),
  );

describe('the schedule', () => {
  it('equals a walk over every day, over 50 years, with any holidays', () => {
    const aPlan = fc.record({
      installment_day: fc.integer({ min: 1, max: LAST_INSTALLMENT_DAY }),
      number_of_installments: fc.integer({ min: 1, max: FIFTY_YEARS }),
      first_now: fc.boolean(),
    });
    fc.assert(
      fc.property(aPlan, aDay, someHolidays, (plan, activatedOn, holidays) => {
        expect(datesOf(plan, activatedOn, holidays)).toEqual(walked(plan, activatedOn, holidays));
      }),
      { numRuns: 60 },
    );
  });

  it.each(Array.from({ length: LAST_INSTALLMENT_DAY }, (_, index) => index + 1))(
    'does not drift on day %i, over 50 years of the real list with leap years',
    (day) => {
      const dates = datesOf(terms(day, FIFTY_YEARS), '2026-11-22', listed);

      expect(new Set(dates.map(({ nominal }) => nominal.slice(8)))).toEqual(
        new Set([String(day).padStart(2, '0')]),
      );
      expect(new Set(dates.map(({ nominal }) => nominal.slice(0, 7))).size).toBe(FIFTY_YEARS);
      expect(dates).toEqual(walked(terms(day, FIFTY_YEARS), '2026-11-22', listed));
    },
  );

  it('continues for 1200 installments', () => {
    const dates = datesOf(terms(28, 1200), '2026-11-22', listed);

    expect([dates[0]?.nominal, dates.at(-1)?.nominal]).toEqual(['2026-11-28', '2126-10-28']);
    expect(scheduleFrom(terms(28, 1200), '2026-11-22').end_date).toBe('2126-10-28');
  });
});

describe('the first installment', () => {
  it.each([
    ['the day before its date', 22, '2026-11-21', '2026-11-22'],
    ['on its date: a month later', 22, '2026-11-22', '2026-12-22'],
    ['after its date', 5, '2026-11-22', '2026-12-05'],
    ['over the turn of the year', 5, '2026-12-22', '2027-01-05'],
    ['the end of a February', 28, '2028-02-28', '2028-03-28'],
    ['a leap day', 1, '2028-02-29', '2028-03-01'],
  ])('of a plan that is active %s', (_when, day, activatedOn, first) => {
    expect(scheduleFrom(terms(day), activatedOn)).toMatchObject({ start_date: first, first_by_day: first });
  });

  it('"now" replaces the first date, even on a Sunday, and the others keep their dates', () => {
    const dates = datesOf(terms(5, 3, true), '2026-11-22', listed);

    expect(dates).toEqual([
      { nominal: '2026-11-22', date: '2026-11-22' },
      { nominal: '2027-01-05', date: '2027-01-05' },
      { nominal: '2027-02-05', date: '2027-02-05' },
    ]);
  });

  it('"now" and alone ends the plan on the day it starts', () => {
    expect(scheduleFrom(terms(5, 1, true), '2026-11-22')).toMatchObject({
      start_date: '2026-11-22',
      end_date: '2026-11-22',
    });
  });
});

describe('a date that is not a business day', () => {
  it.each([
    ['a Saturday', '2026-12-05', '2026-12-07'],
    ['a Sunday', '2026-12-06', '2026-12-07'],
    ['Christmas, a Friday, and the weekend after it', '2026-12-25', '2026-12-28'],
    ['Diwali, a Tuesday', '2026-11-10', '2026-11-11'],
    ['a Saturday of a year without a list', '2030-12-28', '2030-12-30'],
    ['Republic Day of a year without a list, a Friday', '2029-01-26', '2029-01-29'],
    ['a business day', '2026-12-24', '2026-12-24'],
  ])('%s moves on', (_what, nominal, moved) => {
    expect(movedDate(nominal, listed)).toBe(moved);
  });

  it('may move into the next month and the next year', () => {
    const newYear: Holidays = new Map([[2027, new Set(['2027-01-01'])]]);
    expect(movedDate('2026-12-31', new Map([[2026, new Set(['2026-12-31'])], ...newYear]))).toBe(
      '2027-01-04',
    );
  });
});

describe('years without a list', () => {
  it('are those of the span that have no list', () => {
    expect(unknownYears('2026-11-05', '2029-01-05', [2025, 2026, 2028])).toEqual([2027, 2029]);
    expect(unknownYears('2026-11-05', '2026-12-05', [2026])).toEqual([]);
  });

  it.each([
    [[2027], '2027'],
    [[2027, 2029], '2027 and 2029'],
    [[2027, 2028, 2029, 2031], '2027 to 2029 and 2031'],
  ])('%j are written as %s', (years, words) => {
    expect(yearRanges(years)).toBe(words);
  });
});
