import type { QueryRunner } from 'typeorm';
import { keyOf, RECOUNT } from './recount-deadlines.ts';

/** The tenant of the due work, which recounts the deadlines of all tenants. */
const ALL_TENANTS = 'fundrail';

/**
 * For a migration of a release that counts business days by another rule: schedules the recount of that kind's deadlines, as after a
 * change of the holiday list. The recount is due immediately, and only when such a deadline is stored. May run any number of times.
 */
export async function recountDeadlines(runner: QueryRunner, kind: string): Promise<void> {
  await runner.query(
    `INSERT INTO due_work (kind, key, tenant, due_at)
     SELECT $1, $2, $3, clock_timestamp() + offset_ms * interval '1 millisecond' FROM business_clock
      WHERE EXISTS (SELECT FROM due_work WHERE kind = $4)
     ON CONFLICT (kind, key) DO NOTHING`,
    [RECOUNT, keyOf(kind, ''), ALL_TENANTS, kind],
  );
}
