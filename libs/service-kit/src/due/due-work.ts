import { sql, type Queryable } from '@fundrail/messaging';
import { scheduleAllDue, type DueToSchedule, type SignallingQueryable } from './due-batch.ts';

/** One thing to be done at a business time. (kind, key) is unique; `attempts` counts the tries that came before this one. */
export interface DueWork {
  readonly kind: string;
  readonly key: string;
  readonly tenant: string;
  readonly due_at: Date;
  readonly attempts: number;
}

/** `later` comes again by the back-off of contract §2; `again` at that business time with its attempts counted from 0. */
export type DueResult = 'done' | 'later' | { readonly again: Date };

/**
 * Does the work of one kind. Runs outside any transaction and must be idempotent: after a crash, or when it takes longer
 * than its lease (`DUE_LEASE_MS`, 10 s), the same work runs again. A throw is logged and counts as `later`.
 */
export interface DueHandler {
  readonly kind: string;
  handle(work: DueWork): Promise<DueResult>;
}

/** A due table that a service keeps for itself (webhook deliveries, the sweep of claims), driven by the same poller. */
export abstract class DueLane {
  /** Unique in the service; for logs. */
  abstract readonly name: string;
  /** Whether the sandbox's clock stops at each of its due times; false for housekeeping and webhook retries (contract §10). */
  readonly isStep: boolean = true;
  /** Housekeeping: nobody waits for what it does, so it never counts as a call in flight. */
  readonly isHousekeeping: boolean = false;
  /** The earliest business time ≤ `before` at which something is due, or null. */
  abstract earliestDue(before: Date): Promise<Date | null>;
  /** False while a run could do nothing, whatever is due: it is then left out, and the clock is not asked either. */
  isReady(): boolean {
    return true;
  }
  /** Works what is due at `now`, replica-safe, and answers how many rows it worked; is called again at once while that is > 0. */
  abstract run(now: Date): Promise<number>;
}

const remove = sql('due_work.remove', 'DELETE FROM due_work WHERE kind = $1 AND key = $2');

/**
 * Schedules (kind, key), in place of what was scheduled under it; it will run in the trace of the caller. When it is due already, this process's worker is woken
 * after the commit; what is due in the future it finds by itself. `attempts` (0) is how much of the back-off is behind it:
 * 1 when `due_at` is its first pause after a call that was made elsewhere.
 */
export async function scheduleDue(tx: SignallingQueryable, work: DueToSchedule): Promise<void> {
  await scheduleAllDue(tx, [work]);
}

/** Takes (kind, key) off the schedule; nothing happens when it is not there. */
export async function cancelDue(tx: Queryable, kind: string, key: string): Promise<void> {
  await tx.query(remove, [kind, key]);
}
