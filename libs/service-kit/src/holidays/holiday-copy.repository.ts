import type { Holidays } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';

const all = sql('holiday_copies.all', 'SELECT year, days FROM holiday_copies');
const keep = sql(
  'holiday_copies.keep',
  `INSERT INTO holiday_copies (year, days) VALUES ($1, $2) ON CONFLICT (year) DO UPDATE SET days = excluded.days`,
);

/** The holidays that are stored in this service. */
export async function readHolidays(db: Queryable): Promise<Holidays> {
  const rows = await db.query<{ year: number; days: string[] }>(all);
  return new Map(rows.map(({ year, days }) => [year, new Set(days)]));
}

const LIST_LOCK = 7266802;
const shareList = sql('holiday_copies.share', `SELECT pg_advisory_xact_lock_shared(${LIST_LOCK})`);
const holdList = sql('holiday_copies.hold', `SELECT pg_advisory_xact_lock(${LIST_LOCK})`);

/**
 * The holidays for a deadline that this transaction writes. The list cannot change until the transaction ends, so every deadline by
 * the old list is committed, and found, when deadlines are counted again.
 */
export async function holidaysForDeadline(tx: Tx): Promise<Holidays> {
  await tx.query(shareList);
  return readHolidays(tx);
}

/** Locks the list for the caller's transaction; waits for every transaction that counts by it. */
export async function holdHolidays(tx: Tx): Promise<void> {
  await tx.query(holdList);
}

/** Replaces a year. The events of a year arrive in order, so the last one wins. */
export async function keepHolidays(db: Queryable, year: number, days: readonly string[]): Promise<void> {
  await db.query(keep, [year, days]);
}
