import type { ProviderName } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

// Wall time of the database, which all replicas share. `next_at` is the end of the reserved time, and the place of the next call.
const RESERVE = sql(
  'debit_pace.reserve',
  `INSERT INTO debit_pace AS p (provider_name, next_at)
   VALUES ($1, clock_timestamp() + $2 * interval '1 microsecond')
   ON CONFLICT (provider_name) DO UPDATE
     SET next_at = greatest(p.next_at, clock_timestamp()) + $2 * interval '1 microsecond'
   WHERE p.next_at <= clock_timestamp() + $3 * interval '1 millisecond'
   RETURNING (extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS ends_in_ms`,
);
const PAUSED = sql(
  'debit_pace.paused',
  `SELECT (extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS wait_ms FROM debit_pace WHERE provider_name = $1`,
);
const PAUSE = sql(
  'debit_pace.pause',
  `INSERT INTO debit_pace AS p (provider_name, next_at)
   VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
   ON CONFLICT (provider_name) DO UPDATE SET next_at = greatest(p.next_at, excluded.next_at)`,
);

/**
 * Reserves the places of `calls` calls, `spacingMs` apart, after all that any replica has reserved. Returns the milliseconds to the first
 * one, or null when that would be more than `mostAheadMs`: then nothing is reserved.
 */
export async function reservePlaces(
  db: Queryable,
  provider: ProviderName,
  { calls, spacingMs, mostAheadMs }: { calls: number; spacingMs: number; mostAheadMs: number },
): Promise<number | null> {
  const [row] = await db.query<{ ends_in_ms: number }>(RESERVE, [
    provider,
    Math.round(calls * spacingMs * 1000),
    mostAheadMs,
  ]);
  return row ? Math.max(0, row.ends_in_ms - calls * spacingMs) : null;
}

/** Milliseconds until the provider may be called again; 0 or less when it may be called now. */
export async function pausedFor(db: Queryable, provider: ProviderName): Promise<number> {
  const [row] = await db.query<{ wait_ms: number }>(PAUSED, [provider]);
  return row?.wait_ms ?? 0;
}

/** No replica reserves a place in the next `ms` milliseconds. */
export async function pauseProvider(db: Queryable, provider: ProviderName, ms: number): Promise<void> {
  await db.query(PAUSE, [provider, ms]);
}
