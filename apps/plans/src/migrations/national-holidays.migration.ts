import type { MigrationInterface, QueryRunner } from 'typeorm';
import { calendarColumns } from '../calendar/calendar-rows.ts';
import { holdCalendar, setCalendar } from '../holiday/holiday.repository.ts';

/**
 * Years without a list have the fixed national holidays (CONV-34). Updates the calendar and the next dates of plans as if these
 * years were replaced now. Generated installments stay. A new database has this calendar already.
 */
export class NationalHolidays1700001020004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Replicas serve meanwhile: a transaction that computes a plan's next date commits first, and then the date is moved.
    await runner.query(holdCalendar.text);
    const rows = (await runner.query(
      'SELECT y.year, h.day::text AS day FROM holiday_years y LEFT JOIN holidays h ON h.year = y.year',
    )) as { year: number; day: string | null }[];
    const holidays = new Map(
      [...Map.groupBy(rows, ({ year }) => year)].map(([year, days]) => [
        year,
        new Set(days.flatMap(({ day }) => day ?? [])),
      ]),
    );
    const [clock] = (await runner.query(
      `SELECT clock_timestamp() + offset_ms * interval '1 millisecond' AS now FROM business_clock`,
    )) as { now: Date }[];
    await runner.query(setCalendar.text, [...calendarColumns(holidays), clock?.now ?? null, null]);
  }

  /** The days of the older calendar return with the next list of their year. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
