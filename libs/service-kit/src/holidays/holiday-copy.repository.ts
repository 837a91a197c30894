import type { Holidays } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/messaging';

const all = sql('holiday_copies.all', 'SELECT year, days FROM holiday_copies');
const keep = sql(
  'holiday_copies.keep',
  `INSERT INTO holiday_copies (year, days) VALUES ($1, $2) ON CONFLICT (year) DO UPDATE SET days = excluded.days`,
);

/** The holidays as this service knows them. */
export async function readHolidays(db: Queryable): Promise<Holidays> {
  const rows = await db.query<{ year: number; days: string[] }>(all);
  return new Map(rows.map(({ year, days }) => [year, new Set(days)]));
}

/** A year in place of what was known of it. The events of a year come in their order, so the last one counts. */
export async function keepHolidays(db: Queryable, year: number, days: readonly string[]): Promise<void> {
  await db.query(keep, [year, days]);
}
