import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `event_seq` counts the events of a year of the holiday list; other services keep a copy of the list. */
export class HolidayEvents1700000000850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE holiday_years ADD COLUMN event_seq integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE holiday_years DROP COLUMN event_seq');
  }
}
