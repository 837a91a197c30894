import { sql, type Queryable } from '@fundrail/persistence';
import { scheduleAllDue, type DueToSchedule, type SignallingQueryable } from './due-batch.ts';
import type { DueWork } from './due-work.ts';

// `= ANY` in addition to the join: no plan reads other rows (decision 0010).
const remove = sql(
  'due_work.remove',
  `DELETE FROM due_work w USING unnest($1::text[], $2::text[]) AS ended (kind, key)
    WHERE w.kind = ended.kind AND w.key = ended.key AND w.kind = ANY ($1) AND w.key = ANY ($2)`,
);

/**
 * Schedules (kind, key) and replaces earlier work under it; it runs in the caller's trace. When it is due already, this process's
 * worker is woken after the commit. `attempts` (default 0) is the position in the back-off: 1 when `due_at` is the first pause
 * after a call that was made elsewhere.
 */
export async function scheduleDue(tx: SignallingQueryable, work: DueToSchedule): Promise<void> {
  await scheduleAllDue(tx, [work]);
}

/** Removes (kind, key) from the schedule, if it is there. */
export async function cancelDue(tx: Queryable, kind: string, key: string): Promise<void> {
  await cancelAllDue(tx, [{ kind, key }]);
}

/** `cancelDue` for many works in one statement. */
export async function cancelAllDue(
  tx: Queryable,
  works: readonly Pick<DueWork, 'kind' | 'key'>[],
): Promise<void> {
  if (works.length === 0) return;
  await tx.query(remove, [works.map(({ kind }) => kind), works.map(({ key }) => key)]);
}

const planned = sql(
  'due_work.planned',
  'SELECT kind, key, due_at FROM due_work WHERE kind = ANY ($2) AND key = ANY ($3) AND tenant = $1',
);

/**
 * When work of these kinds under these keys is due, in business time. A past time means that the work runs or is about to run. Work
 * that is not scheduled is left out.
 */
export async function plannedDue(
  db: Queryable,
  tenant: string,
  kinds: readonly string[],
  keys: readonly string[],
): Promise<Pick<DueWork, 'kind' | 'key' | 'due_at'>[]> {
  return db.query(planned, [tenant, kinds, keys]);
}
