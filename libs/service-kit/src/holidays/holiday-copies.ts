import { EQUITY_HOLIDAYS } from '@fundrail/contracts';
import type { QueryRunner } from 'typeorm';

/**
 * For the baseline of a service that counts business days: its copy of the holiday list, one row for each year, from the seed or an
 * event of the list's owner.
 */
export async function createHolidayCopies(runner: QueryRunner): Promise<void> {
  await runner.query('CREATE TABLE holiday_copies (year integer PRIMARY KEY, days text[] NOT NULL)');
  for (const [year, days] of Object.entries(EQUITY_HOLIDAYS))
    await runner.query('INSERT INTO holiday_copies (year, days) VALUES ($1, $2)', [year, days]);
}
