import { addDays, PLAN_FREQUENCIES, type Holidays } from '@fundrail/contracts';
import fc from 'fast-check';
import { calendarColumns } from '../calendar/calendar-rows.ts';
import { PlansUnderTest } from '../testing/plans-under-test.ts';
import { purchaseDates, type PurchaseTerms } from '../testing/purchase-dates.ts';
import { comingDates, followingNominal } from './schedule-sql.ts';
import { scheduleFrom } from './schedule.ts';

/** So many are 50 years, more than a plan may have. */
const INSTALLMENTS = {
  daily: 12_500,
  day_in_a_week: 2609,
  day_in_a_fortnight: 1305,
  monthly: 600,
  quarterly: 200,
  half_yearly: 100,
  yearly: 50,
};

const aDay = fc.integer({ min: 0, max: 3650 }).map((days) => addDays('2026-01-01', days));
const someHolidays = fc
  .array(
    fc.integer({ min: 0, max: 22_000 }).map((days) => addDays('2026-01-01', days)),
    { maxLength: 800 },
  )
  .map(
    (dates): Holidays =>
      new Map(
        [...Map.groupBy(dates, (date) => Number(date.slice(0, 4)))].map(([year, of]) => [year, new Set(of)]),
      ),
  );
const planOf = (frequency: PurchaseTerms['frequency'], day: number, first_now: boolean): PurchaseTerms => ({
  ...{ kind: 'purchase', frequency, first_now, payment_source: 1001 },
  installment_day:
    frequency === 'daily'
      ? null
      : frequency === 'day_in_a_week' || frequency === 'day_in_a_fortnight'
        ? (day % 5) + 1
        : day,
  number_of_installments: INSTALLMENTS[frequency],
});

/** A course before each of its installments, as `c`. */
const COURSES = `unnest($1::int[], $2::text[], $3::date[], $4::date[])
  AS c (made, frequency, first_by_day, next_date), LATERAL (SELECT $5::int AS number_of_installments) AS n`;

describe('the schedule in SQL (SIP-10)', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  const setCalendar = (holidays: Holidays) =>
    stage.rows(
      `UPDATE business_calendar b SET moved = g.moved FROM unnest($1::date[], $2::date[]) AS g (day, moved)
        WHERE b.day = g.day AND b.moved <> g.moved`,
      ...calendarColumns(holidays).slice(0, 2),
    );

  it.each(PLAN_FREQUENCIES)(
    'is the pure one, over 50 years of random starts and holidays: %s',
    async (frequency) => {
      await fc.assert(
        fc.asyncProperty(
          aDay,
          fc.integer({ min: 1, max: 28 }),
          fc.boolean(),
          someHolidays,
          async (on, day, now, holidays) => {
            await setCalendar(holidays);
            const plan = planOf(frequency, day, now);
            const dates = purchaseDates(plan, on, holidays);
            const { first_by_day } = scheduleFrom(plan, on);
            const courses = [
              dates.map((_, made) => made),
              dates.map(() => frequency),
              dates.map(() => first_by_day),
              dates.map(({ date }) => date),
            ];
            const following = await stage.rows<{ made: number; day: string }>(
              `SELECT made, (${followingNominal('c')})::text AS day FROM ${COURSES} WHERE made < $5 - 1 ORDER BY made`,
              ...courses,
              plan.number_of_installments,
            );
            expect(following.map(({ day: nominal }) => nominal)).toEqual(
              dates.slice(1).map(({ nominal }) => nominal),
            );
            const coming = await stage.rows<{ date: string }>(
              `SELECT d.date::text FROM (SELECT c.*, n.number_of_installments FROM ${COURSES} WHERE made = 0) AS c
            CROSS JOIN LATERAL (${comingDates('c')}) AS d ORDER BY d.date`,
              ...courses,
              plan.number_of_installments,
            );
            expect(coming.map(({ date }) => date)).toEqual(dates.map(({ date }) => date).sort());
          },
        ),
        { numRuns: 4 },
      );
    },
  );
});
