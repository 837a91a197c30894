import { addDays, istDate, yearOf, type HolidayYearDto } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import { movedDate } from '../calendar/business-days.ts';
import { addMonths } from '../schedule/schedule.ts';
import { NationalHolidays1700001020004 } from '../migrations/national-holidays.migration.ts';
import { aMandate, MANDATE } from '../testing/plan.builder.ts';
import { PLANS, PlansUnderTest } from '../testing/plans-under-test.ts';
import { keepCalendar } from './holiday.repository.ts';

const [MONDAY, TUESDAY, FRIDAY] = [1, 2, 5];
/** Enough days for a plan to become active, and few enough to be its first date. */
const AHEAD_DAYS = 9;
const BY_MANDATE = { payment_method: 'mandate', payment_source: String(MANDATE) };

const byDates = (one: HolidayYearDto, other: HolidayYearDto) =>
  one.dates.join().localeCompare(other.dates.join());

/** Each test takes a day after the current time of the clock, and starts with no holidays around it. */
describe('replacing a year of holidays', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  const replace = async (year: number, dates: readonly string[]): Promise<HolidayYearDto> => {
    const body = { year, dates, source: 'the test' };
    const answer = await stage.ask<HolidayYearDto>('POST', '/admin/holidays', { body, scope: 'admin' });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const replaceWith = (date: string) => replace(yearOf(date), [date]);
  const clear = (date: string) => replace(yearOf(date), []);
  /** The first such weekday ahead whose week lies within the days 1 to 28, which a plan may have. */
  const ahead = async (weekday: number): Promise<string> => {
    let date = addDays(istDate(await stage.service.database.now()), AHEAD_DAYS);
    while (new Date(date).getUTCDay() !== weekday || Number(date.slice(8)) > 21) date = addDays(date, 1);
    await clear(date);
    await clear(addMonths(date, 1));
    return date;
  };
  /** A plan with that first date. */
  const planOn = (date: string, changes: object = {}) => {
    const until = (Date.parse(`${date}T00:00:00+05:30`) - stage.clock.now().getTime()) / 86_400_000;
    if (until > 26) stage.clock.advance(Math.floor(until - 20) * 86_400_000);
    return stage.createActive({ installment_day: Number(date.slice(8)), ...changes });
  };
  const nextDate = async (id: string) => (await stage.get(id)).next_installment_date;

  it('moves the next dates of plans and returns how many; generated installments stay', async () => {
    const friday = await ahead(FRIDAY);
    const [{ id }, drawn] = [
      await planOn(friday),
      await planOn(friday, { auto_generate_installments: false }),
    ];

    expect(await replaceWith(friday)).toMatchObject({ plans_moved: 1 });
    expect([await nextDate(id), await nextDate(drawn.id)]).toEqual([addDays(friday, 3), null]);
    expect(await clear(friday)).toMatchObject({ plans_moved: 1 });
    expect(await nextDate(id)).toBe(friday);
    await stage.at(`${friday}T00:05`);
    expect(await replaceWith(friday)).toMatchObject({ plans_moved: 0 });

    expect(await stage.published(id)).toMatchObject([{ nominal_date: friday, date: friday }]);
    expect((await stage.get(id)).previous_installment_date).toBe(friday);
    expect(await nextDate(id)).toBe(movedDate(addMonths(friday, 1), new Map()));
  });

  it('publishes one event for each replacement of a year, in order (ADMIN-11)', async () => {
    const answers = await Promise.all(
      [['2031-08-15'], [], ['2031-08-18']].map((dates) => replace(2031, dates)),
    );
    const events = await stage.rows<{ sequence: number; data: string }>(
      `SELECT sequence, data FROM outbox WHERE type = 'holiday_year.replaced' AND aggregate_id = 'holiday_year_2031' ORDER BY id`,
    );
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const years = events.map(({ data }) => (JSON.parse(data) as { object: HolidayYearDto }).object);
    expect(years.toSorted(byDates)).toEqual(answers.toSorted(byDates));
  });

  it('moves no date to one that is past, and a skip of the original date still applies', async () => {
    const friday = await ahead(FRIDAY);
    const monday = addDays(friday, 3);
    await replaceWith(friday);
    const [skipped, other] = [await planOn(friday), await planOn(friday)];
    expect(skipped.next_installment_date).toBe(monday);
    const body = { from: monday, to: monday };
    await stage.ask('POST', `${PLANS}/${skipped.id}/skip_instructions`, { body });
    await stage.at(`${addDays(friday, 2)}T12:00`);

    expect(await clear(friday)).toMatchObject({ plans_moved: 0 });
    await stage.settled();
    expect([await stage.published(skipped.id), await stage.published(other.id)]).toEqual([[], []]);
    await stage.at(`${monday}T00:05`);

    expect(await stage.published(skipped.id)).toMatchObject([{ state: 'cancelled', date: monday }]);
    expect(await stage.published(other.id)).toMatchObject([{ state: 'under_review', date: monday }]);
  });

  it('keeps the date of an installment that is already due, even when the scheduler is late', async () => {
    const friday = await ahead(FRIDAY);
    const { id } = await planOn(friday);
    await stage.service.dueWorker.stop();
    stage.clock.set(`${friday}T08:00:00+05:30`);
    await replaceWith(friday);
    stage.service.dueWorker.start();
    await stage.settled();

    expect(await stage.published(id)).toMatchObject([{ nominal_date: friday, date: friday }]);
  });

  /** Replaces the year of that date while another transaction is about to commit, then lets that transaction commit. */
  async function replaceMeanwhile(
    date: string,
    point: 'plans.generate.before_commit' | 'plans.facts.before_commit',
    doing: () => Promise<unknown>,
  ): Promise<void> {
    const fault = setFaultHandler(point);
    const done = doing();
    await fault.reached;
    const replaced = replaceWith(date);
    const waits = waitFor(async () => {
      const waiting = await stage.rows(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
      return waiting.length > 0;
    });
    await Promise.race([replaced, waits]);
    fault.resume();
    await Promise.all([replaced, done]);
    await stage.settled();
  }

  it('moves the following date of a plan whose installment is being generated', async () => {
    const friday = await ahead(FRIDAY);
    const { id } = await planOn(friday);
    const following = movedDate(addMonths(friday, 1), new Map());
    await replaceMeanwhile(following, 'plans.generate.before_commit', () => stage.at(`${friday}T00:05`));

    expect(await stage.published(id)).toHaveLength(1);
    expect(await nextDate(id)).toBe(movedDate(addDays(following, 1), new Map()));
  });

  it('moves the first date of a plan that is becoming active', async () => {
    const monday = await ahead(MONDAY);
    const { id } = await stage.create({ installment_day: Number(monday.slice(8)) });
    await stage.settled();
    const first = await planOn(monday);
    const date = first.next_installment_date ?? '';
    await replaceMeanwhile(date, 'plans.facts.before_commit', async () => {
      await stage.callback(id, { review: { result: 'passed' }, registration: { result: 'none' } });
      await stage.inState(id, 'active');
    });

    expect(await nextDate(id)).toBe(addDays(date, 1));
  });

  it('makes a calendar migration wait for transactions that compute a date from it', async () => {
    const { database } = stage.service;
    const runner = database.dataSource.createQueryRunner();
    const order: string[] = [];
    const migrated = await database.transaction(async (tx) => {
      await keepCalendar(tx);
      await runner.startTransaction();
      const changed = new NationalHolidays1700001020004().up(runner).then(() => order.push('changed'));
      const waits = waitFor(async () => {
        const waiting = await stage.rows(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
        return waiting.length > 0;
      });
      await Promise.race([changed, waits]);
      order.push('reckoned');
      // Not awaited here: it continues when this transaction has ended.
      return { changed };
    });
    await migrated.changed;
    await runner.rollbackTransaction();
    await runner.release();
    expect(order).toEqual(['reckoned', 'changed']);
  });

  it('moves the mandate check to three days before the new date', async () => {
    const tuesday = await ahead(TUESDAY);
    const { id } = await planOn(tuesday, BY_MANDATE);
    const unusable = async () =>
      (await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable').length;
    await stage.at(`${addDays(tuesday, -3)}T12:00`);
    expect(await unusable()).toBe(0);

    stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: 'PAUSED' }));
    await replaceWith(tuesday);
    await stage.at(`${addDays(tuesday, -2)}T00:04`);
    expect(await unusable()).toBe(0);
    await stage.at(`${addDays(tuesday, -2)}T00:05`);

    expect(await unusable()).toBe(1);
  });

  it('removes the warning that its holidays are not known', async () => {
    const monday = await ahead(MONDAY);
    const year = yearOf(monday) + 3;
    stage.log.length = 0;
    const { id } = await planOn(monday, { number_of_installments: 40 });
    const warning = async () => (await stage.get(id)).calendar_warning ?? '';

    expect(await warning()).toContain(String(year));
    const warned = stage.log.filter((line) => line.includes('holidays are missing') && line.includes(id));
    expect(warned).toHaveLength(1);
    for (let known = year - 3; known <= year + 1; known += 1) await replace(known, []);
    expect(await warning()).toBe('');
  });
});
