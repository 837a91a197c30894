import { EQUITY_HOLIDAYS } from '@fundrail/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The copy of the holiday list in a service that counts business days: one row for each year, from the seed or swp's event. */
export class HolidayCopies1700000030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE holiday_copies (year integer PRIMARY KEY, days text[] NOT NULL)');
    for (const [year, days] of Object.entries(EQUITY_HOLIDAYS))
      await runner.query('INSERT INTO holiday_copies (year, days) VALUES ($1, $2)', [year, days]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE holiday_copies');
  }
}
