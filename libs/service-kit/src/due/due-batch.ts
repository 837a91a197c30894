import { sql, type CommitSignal, type Queryable } from '@fundrail/persistence';
import { currentTraceparent } from '@fundrail/messaging';
import { backOffMs } from './back-off.ts';
import { signalOf, type DueWork } from './due-work.ts';

/** Due work that this process has leased. All rows that were leased together have the same `lease_token`. */
export interface LeasedDue extends DueWork {
  readonly lease_token: string;
  /** The W3C trace context of the code that scheduled it. */
  readonly traceparent: string | null;
}

/** Work to schedule; `attempts` as in `scheduleDue`. Without `traceparent` it continues the caller's trace. */
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
const KINDS_DUE = sql(
  'due_work.kinds_due',
  `SELECT asked.kind FROM unnest($1::text[]) WITH ORDINALITY AS asked (kind, place)
    WHERE EXISTS (SELECT FROM due_work w
           WHERE w.kind = asked.kind AND w.due_at <= $2 AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp()))
    ORDER BY asked.place`,
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

/** Which due work to lease, and for how long: `leaseMs` is wall time, `now` business time. */
interface DueLease {
  readonly kind: string;
  readonly now: Date;
  readonly most: number;
  readonly token: string;
  readonly leaseMs: number;
}

/** Those of the kinds, in their order, with work to lease at `now` (business time): one look of a lane that leases each kind by itself. */
export async function kindsDue(
  db: Queryable,
  kinds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ kind: string }>(KINDS_DUE, [kinds, now]);
  return new Set(rows.map(({ kind }) => kind));
}

/** Leases due work of one kind, earliest first, for a lane that handles many rows together. No `DueHandler` may have this kind. */
export async function leaseDue(db: Queryable, lease: DueLease): Promise<LeasedDue[]> {
  const { kind, now, most, token, leaseMs } = lease;
  const rows = await db.query<LeasedDue>(LEASE, [kind, now, most, token, leaseMs]);
  return rows.sort((one, other) => one.due_at.getTime() - other.due_at.getTime());
}

/**
 * Ends work of one lease and returns how many rows: work that was rescheduled, cancelled or leased by another worker meanwhile
 * stays.
 */
export async function endDue(db: Queryable, works: readonly LeasedDue[]): Promise<number> {
  return (await ofOneLease(db, END, works)).length;
}

/** Returns leased work unchanged: it is due immediately, for any worker. */
export async function giveDueBack(db: Queryable, works: readonly LeasedDue[]): Promise<void> {
  await ofOneLease(db, GIVE_BACK, works);
}

/** Moves leased work that failed to a later time, by the back-off of DUE-5; `now` is business time. */
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

/** A transaction, or the database for a statement that commits on its own. */
export type SignallingQueryable = Queryable & { readonly now?: unknown; signal?(signal: CommitSignal): void };

/** `scheduleDue` for many works in one statement. The last one with the same (kind, key) wins. */
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
  const dueNow = now instanceof Date ? rows.filter(({ due_at }) => due_at <= now) : rows;
  if (dueNow.length > 0) tx.signal?.('due');
  for (const kind of new Set(dueNow.map((row) => row.kind))) tx.signal?.(signalOf(kind));
}
