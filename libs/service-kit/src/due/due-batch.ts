import { currentTraceparent, sql, type CommitSignal, type Queryable } from '@fundrail/messaging';
import { backOffMs } from './back-off.ts';
import type { DueWork } from './due-work.ts';

/** Due work that a lane of its own holds. `lease_token` is the lease's, the same for all that were leased together. */
export interface LeasedDue extends DueWork {
  readonly lease_token: string;
  /** W3C trace context of what scheduled it. */
  readonly traceparent: string | null;
}

/** What is to be scheduled; `attempts` as in `scheduleDue`. Without a trace of its own it goes on in the caller's. */
export type DueToSchedule = Omit<DueWork, 'attempts'> & {
  readonly attempts?: number;
  readonly traceparent?: string | null;
};

const LEASE = sql(
  'due_work.lease_batch',
  `WITH due AS (
     SELECT key FROM due_work
      WHERE kind = $1 AND due_at <= $2 AND (leased_until IS NULL OR leased_until < clock_timestamp())
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE due_work w SET lease_token = $4, leased_until = clock_timestamp() + $5 * interval '1 millisecond'
    WHERE w.kind = $1 AND w.key = ANY (ARRAY(SELECT key FROM due))
   RETURNING w.kind, w.key, w.tenant, w.due_at, w.attempts, w.lease_token, w.traceparent`,
);
const END = sql(
  'due_work.end_batch',
  'DELETE FROM due_work WHERE kind = $1 AND key = ANY ($2) AND lease_token = $3 RETURNING key',
);
const GIVE_BACK = sql(
  'due_work.give_back_batch',
  'UPDATE due_work SET lease_token = NULL, leased_until = NULL WHERE kind = $1 AND key = ANY ($2) AND lease_token = $3',
);

const LATER = sql(
  'due_work.later_batch',
  `UPDATE due_work SET attempts = attempts + 1, due_at = $4, lease_token = NULL, leased_until = NULL
    WHERE kind = $1 AND key = $2 AND lease_token = $3`,
);

/** Which due work, and for how long: `leaseMs` is wall time, `now` business time. */
export interface DueLease {
  readonly kind: string;
  readonly now: Date;
  readonly most: number;
  readonly token: string;
  readonly leaseMs: number;
}

/** Leases due work of one kind for a lane that works many rows at once, earliest first; no `DueHandler` may have the kind. */
export async function leaseDue(db: Queryable, lease: DueLease): Promise<LeasedDue[]> {
  const { kind, now, most, token, leaseMs } = lease;
  const rows = await db.query<LeasedDue>(LEASE, [kind, now, most, token, leaseMs]);
  return rows.sort((one, other) => one.due_at.getTime() - other.due_at.getTime());
}

/**
 * Ends leased work of one lease and answers how much of it: what was rescheduled, cancelled or leased by another worker meanwhile
 * stays.
 */
export async function endDue(db: Queryable, works: readonly LeasedDue[]): Promise<number> {
  return (await ofOneLease(db, END, works)).length;
}

/** Gives leased work back as it was: it is due at once, for whoever looks first. */
export async function giveDueBack(db: Queryable, works: readonly LeasedDue[]): Promise<void> {
  await ofOneLease(db, GIVE_BACK, works);
}

/** Leaves leased work that failed to a later time, by the back-off of contract §2; `now` is business time. */
export async function leaveDue(db: Queryable, work: LeasedDue, now: Date): Promise<void> {
  const at = new Date(now.getTime() + backOffMs(work.attempts));
  await db.query(LATER, [work.kind, work.key, work.lease_token, at]);
}

async function ofOneLease(
  db: Queryable,
  statement: typeof END,
  works: readonly LeasedDue[],
): Promise<unknown[]> {
  const [first] = works;
  if (!first) return [];
  return db.query(statement, [first.kind, works.map(({ key }) => key), first.lease_token]);
}

const UPSERT = sql(
  'due_work.upsert_batch',
  `INSERT INTO due_work (kind, key, tenant, due_at, attempts, traceparent)
   SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::text[])
            AS w (kind, key, tenant, due_at, attempts, traceparent)
    ORDER BY kind, key
   ON CONFLICT (kind, key) DO UPDATE
     SET tenant = excluded.tenant, due_at = excluded.due_at, attempts = excluded.attempts, traceparent = excluded.traceparent,
         lease_token = NULL, leased_until = NULL`,
);

/** A transaction, or the database for a statement that commits by itself. */
export type SignallingQueryable = Queryable & { readonly now?: unknown; signal?(signal: CommitSignal): void };

/** `scheduleDue` for many, by one statement. Of two under one (kind, key) the later one counts, as when each came by itself. */
export async function scheduleAllDue(
  tx: SignallingQueryable,
  works: readonly DueToSchedule[],
): Promise<void> {
  if (works.length === 0) return;
  const rows = [...new Map(works.map((work) => [`${work.kind} ${work.key}`, work])).values()];
  const ours = currentTraceparent();
  await tx.query(UPSERT, [
    rows.map(({ kind }) => kind),
    rows.map(({ key }) => key),
    rows.map(({ tenant }) => tenant),
    rows.map(({ due_at }) => due_at),
    rows.map(({ attempts = 0 }) => attempts),
    rows.map(({ traceparent }) => traceparent ?? ours),
  ]);
  const { now } = tx;
  if (!(now instanceof Date) || rows.some(({ due_at }) => due_at <= now)) tx.signal?.('due');
}
