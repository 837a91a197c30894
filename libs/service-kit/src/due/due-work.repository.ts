import { sql, type Transactions } from '@fundrail/messaging';
import type { Clock } from '../db/clock.ts';
import { backOffMs } from './back-off.ts';
import type { DueWork } from './due-work.ts';

/** Work that this worker holds until the lease ends. */
export interface LeasedWork extends DueWork {
  readonly lease_token: string;
  /** W3C trace context of what scheduled it. */
  readonly traceparent: string | null;
}

// Business time is the wall time given plus the sandbox's offset, read in the same statement (architecture §11).
const LEASE = sql(
  'due_work.lease',
  `WITH due AS (
     SELECT kind, key FROM due_work
      WHERE due_at <= $1::timestamptz + (SELECT offset_ms FROM business_clock) * interval '1 millisecond'
        AND (leased_until IS NULL OR leased_until < clock_timestamp())
        AND kind = ANY($2)
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE due_work w SET lease_token = $4, leased_until = clock_timestamp() + $5 * interval '1 millisecond'
     FROM due WHERE w.kind = due.kind AND w.key = due.key
   RETURNING w.kind, w.key, w.tenant, w.due_at, w.attempts, w.lease_token, w.traceparent`,
);
const DONE = sql('due_work.done', 'DELETE FROM due_work WHERE kind = $1 AND key = $2 AND lease_token = $3');
const LATER = sql(
  'due_work.later',
  `UPDATE due_work SET attempts = attempts + 1, lease_token = NULL, leased_until = NULL,
          due_at = $4::timestamptz + ((SELECT offset_ms FROM business_clock) + $5) * interval '1 millisecond'
    WHERE kind = $1 AND key = $2 AND lease_token = $3`,
);
const AGAIN = sql(
  'due_work.again',
  `UPDATE due_work SET attempts = 0, lease_token = NULL, leased_until = NULL, due_at = $4
    WHERE kind = $1 AND key = $2 AND lease_token = $3`,
);
const EARLIEST = sql('due_work.earliest', 'SELECT min(due_at) AS due_at FROM due_work WHERE due_at <= $1');
const COUNT = sql('due_work.count', 'SELECT count(*) AS due FROM due_work WHERE due_at <= $1');

/** Every statement about `due_work` but those that schedule. The lease is wall time: it measures a process, not business. */
export class DueWorkRepository {
  constructor(
    private readonly database: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Leases what is due now, earliest first, without waiting for other workers. */
  async lease(
    kinds: readonly string[],
    limit: number,
    token: string,
    leaseMs: number,
  ): Promise<LeasedWork[]> {
    const rows = await this.database.query<LeasedWork>(LEASE, [
      this.clock.now(),
      kinds,
      limit,
      token,
      leaseMs,
    ]);
    return rows.sort((one, other) => one.due_at.getTime() - other.due_at.getTime());
  }

  /** The three ends change nothing when the work was rescheduled, cancelled or leased by another worker meanwhile. */
  async done(work: LeasedWork): Promise<void> {
    await this.database.query(DONE, [work.kind, work.key, work.lease_token]);
  }

  async later(work: LeasedWork): Promise<void> {
    const pause = backOffMs(work.attempts);
    await this.database.query(LATER, [work.kind, work.key, work.lease_token, this.clock.now(), pause]);
  }

  async again(work: LeasedWork, at: Date): Promise<void> {
    await this.database.query(AGAIN, [work.kind, work.key, work.lease_token, at]);
  }

  async earliestDue(before: Date): Promise<Date | null> {
    const [row] = await this.database.query<{ due_at: Date | null }>(EARLIEST, [before]);
    return row?.due_at ?? null;
  }

  /** How many rows are due at `now`, those that run included. */
  async countDue(now: Date): Promise<number> {
    const [row] = await this.database.query<{ due: number }>(COUNT, [now]);
    return row?.due ?? 0;
  }
}
