import type { CommitSignal } from '@fundrail/persistence';

/** One piece of work for a business time. (kind, key) is unique; `attempts` counts the attempts before this one. */
export interface DueWork {
  readonly kind: string;
  readonly key: string;
  readonly tenant: string;
  readonly due_at: Date;
  readonly attempts: number;
}

/**
 * `later` is retried by the back-off of DUE-5. So is `unchanged`: the outside has answered that nothing has changed, and until something does
 * it answers the same. `again` runs at that business time, with its attempts counted from 0 or from the given number.
 */
export type DueResult = 'done' | 'later' | 'unchanged' | { readonly again: Date; readonly attempts?: number };

/**
 * Handles the work of one kind. Runs outside any transaction and must be idempotent: after a crash, or when it takes longer
 * than its lease (`DUE_LEASE_MS`, 10 s), the same work runs again. An error is logged and counts as `later`.
 */
export interface DueHandler {
  readonly kind: string;
  handle(work: DueWork): Promise<DueResult>;
}

/** The signal of commits that have left due work of this kind for now. */
export function signalOf(kind: string): CommitSignal {
  return `due:${kind}`;
}

/** A service's own due table (webhook deliveries, the sweep of claims), driven by the same poller. */
export abstract class DueLane {
  /** Unique in the service; for logs. */
  abstract readonly name: string;
  /** Whether the sandbox's clock stops at each of its due times; false for housekeeping and webhook retries (DUE-6). */
  readonly isStep: boolean = true;
  /** Housekeeping: nothing waits for it, so it never counts as a call in flight. */
  readonly isHousekeeping: boolean = false;
  /** Commits with this signal, or one of these, wake it before its next poll; null: only polls do. Of rows in `due_work`: `signalOf`. */
  readonly signal: CommitSignal | readonly CommitSignal[] | null = null;
  /** Wall milliseconds from a run that succeeded to the next, in which work gathers: each run has its cost, however little it finds. */
  readonly restMs: number = 0;
  /** The earliest business time ≤ `before` at which something is due, or null. */
  abstract earliestDue(before: Date): Promise<Date | null>;
  /** False while a run could do nothing; the lane is then skipped without reading the clock. */
  isReady(): boolean {
    return true;
  }
  /** Handles work that is due at `now`, safely beside other replicas. Returns how many rows; called again immediately while that is > 0. */
  abstract run(now: Date): Promise<number>;
}
