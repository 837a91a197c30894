import { sql, type Transactions } from '@fundrail/persistence';
import type { Clock } from '../db/clock.ts';
import { backOffMs, HOURLY_FROM } from './back-off.ts';
import type { LeasedDue } from './due-batch.ts';

/**
 * In the condition of a statement that commits alone: its commit does not wait for the disk. A server crash may lose it, and then the work
 * runs again, as after any crash (DUE-4); what the handler has committed is on the disk.
 */
const WITHOUT_DISK = `set_config('synchronous_commit', 'off', true) = 'off'`;

// Business time is the given wall time plus the sandbox's offset, read in the same statement (CLOCK-7). Each kind is searched
// separately by `due_work_kind_due_at`, so waiting rows of other kinds are not read. The places go to the kinds in turn, first to
// those with the fewest rows under way, so a million rows of one kind do not block the others.
const LEASE = sql(
  'due_work.lease',
  `WITH due AS (
     SELECT found.kind, found.key FROM unnest($2::text[], $6::int[]) AS asked (kind, under_way), LATERAL (
       SELECT w.kind, w.key, w.due_at FROM due_work w
        WHERE w.kind = asked.kind
          AND w.due_at <= $1::timestamptz + (SELECT offset_ms FROM business_clock) * interval '1 millisecond'
          AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
        ORDER BY w.due_at LIMIT $3 FOR UPDATE SKIP LOCKED) AS found
      ORDER BY asked.under_way + row_number() OVER (PARTITION BY found.kind ORDER BY found.due_at), found.due_at LIMIT $3)
   UPDATE due_work w SET lease_token = $4, leased_until = clock_timestamp() + $5 * interval '1 millisecond'
     FROM due WHERE w.kind = due.kind AND w.key = due.key AND w.kind = ANY ($2) AND w.key = ANY (ARRAY(SELECT key FROM due))
      AND ${WITHOUT_DISK}
   RETURNING w.kind, w.key, w.tenant, w.due_at, w.attempts, w.lease_token, w.traceparent`,
);
const DONE = sql(
  'due_work.done',
  `DELETE FROM due_work WHERE kind = $1 AND key = $2 AND lease_token = $3 AND ${WITHOUT_DISK}`,
);
const LATER = sql(
  'due_work.later',
  `UPDATE due_work SET attempts = attempts + 1, unchanged = $6, lease_token = NULL, leased_until = NULL,
          due_at = $4::timestamptz + ((SELECT offset_ms FROM business_clock) + $5) * interval '1 millisecond'
    WHERE kind = $1 AND key = $2 AND lease_token = $3 AND ${WITHOUT_DISK}`,
);
const AGAIN = sql(
  'due_work.again',
  `UPDATE due_work SET attempts = $5, lease_token = NULL, leased_until = NULL, due_at = $4
    WHERE kind = $1 AND key = $2 AND lease_token = $3 AND ${WITHOUT_DISK}`,
);
const EARLIEST = sql(
  'due_work.earliest',
  `SELECT min(due_at) AS due, min(due_at) FILTER (WHERE attempts < $2) AS planned
     FROM due_work WHERE due_at <= $1`,
);
// Two index look-ups for each kind that has work, independent of the number of rows.
const OLDEST = sql(
  'due_work.oldest',
  `WITH RECURSIVE kinds AS (
     (SELECT kind FROM due_work ORDER BY kind LIMIT 1)
     UNION ALL
     SELECT (SELECT w.kind FROM due_work w WHERE w.kind > kinds.kind ORDER BY w.kind LIMIT 1) FROM kinds WHERE kinds.kind IS NOT NULL
   )
   SELECT kind, (SELECT w.due_at FROM due_work w WHERE w.kind = kinds.kind ORDER BY w.due_at LIMIT 1) AS due_at
     FROM kinds WHERE kind IS NOT NULL`,
);
const COUNT = sql('due_work.count', 'SELECT count(*) AS due FROM due_work WHERE due_at <= $1');
const FIRST = sql(
  'due_work.first',
  'SELECT kind, key FROM due_work WHERE due_at <= $2 AND tenant = $1 ORDER BY due_at, kind, key LIMIT $3',
);

/** The earliest due times up to some instant: of all rows, and of those that are not retried hourly. */
export interface EarliestDue {
  readonly due: Date | null;
  readonly planned: Date | null;
}

/** All statements about `due_work` except those that schedule. The lease is wall time, because it measures a process. */
export class DueWorkRepository {
  constructor(
    private readonly database: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Leases work that is due now, without waiting for other workers: the earliest of each kind, with the places shared between the
   * kinds. `kinds` counts the rows of each kind that are under way here already.
   */
  async lease(
    kinds: ReadonlyMap<string, number>,
    limit: number,
    token: string,
    leaseMs: number,
  ): Promise<LeasedDue[]> {
    const rows = await this.database.query<LeasedDue>(LEASE, [
      this.clock.now(),
      [...kinds.keys()],
      limit,
      token,
      leaseMs,
      [...kinds.values()],
    ]);
    return rows.sort((one, other) => one.due_at.getTime() - other.due_at.getTime());
  }

  /** `done`, `later` and `again` change nothing when the work was rescheduled, cancelled or leased by another worker meanwhile. */
  async done(work: LeasedDue): Promise<void> {
    await this.database.query(DONE, [work.kind, work.key, work.lease_token]);
  }

  async later({ kind, key, lease_token, attempts }: LeasedDue, isUnchanged: boolean): Promise<void> {
    const parameters = [kind, key, lease_token, this.clock.now(), backOffMs(attempts), isUnchanged];
    await this.database.query(LATER, parameters);
  }

  async again(work: LeasedDue, at: Date, attempts = 0): Promise<void> {
    await this.database.query(AGAIN, [work.kind, work.key, work.lease_token, at, attempts]);
  }

  async earliestDue(before: Date): Promise<EarliestDue> {
    const [row] = await this.database.query<EarliestDue>(EARLIEST, [before, HOURLY_FROM]);
    return row ?? { due: null, planned: null };
  }

  /** The earliest due time of each kind that has work, for handlers and for lanes in batches. */
  async oldest(): Promise<{ kind: string; due_at: Date }[]> {
    return this.database.query<{ kind: string; due_at: Date }>(OLDEST);
  }

  /** How many rows are due at `now`, including running ones. */
  async countDue(now: Date): Promise<number> {
    const [row] = await this.database.query<{ due: number }>(COUNT, [now]);
    return row?.due ?? 0;
  }

  /** The earliest rows of a tenant that are due at `now`, including running ones. */
  async firstDue(tenant: string, now: Date, limit: number): Promise<{ kind: string; key: string }[]> {
    return this.database.query<{ kind: string; key: string }>(FIRST, [tenant, now, limit]);
  }
}
