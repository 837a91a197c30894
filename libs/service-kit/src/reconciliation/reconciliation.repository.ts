import { sql, type Queryable } from '@fundrail/persistence';
import type { Finding } from './reconciliation-check.ts';

/** The current or the last run. */
export interface Run {
  readonly run: number;
  readonly phase: 'idle' | 'looking' | 'again' | 'last';
  readonly days: number;
  readonly settle_ms: number;
  readonly accept_lost_money: boolean;
  readonly check_name: string | null;
  readonly cursor: string | null;
  readonly looked: number;
  readonly failures: number;
  /** Checks that could not be completed, with the reason. */
  readonly undone: readonly string[];
  readonly due_at: Date | null;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  /** When the last run without undone checks ended. */
  readonly whole_at: Date | null;
}

/** A run that this process has leased. */
interface LeasedRun extends Run {
  /** The end of the lease as text, which identifies the lease. */
  readonly lease: string;
}

/** A stored finding. */
export interface KeptFinding extends Finding {
  readonly check_name: string;
  readonly state: 'suspected' | 'asked' | 'open' | 'repaired';
}

const COLUMNS = `run, phase, days, settle_ms, accept_lost_money, check_name, cursor, looked, failures, undone, due_at, started_at,
  ended_at, whole_at`;
const READ = sql('reconciliation_run.read', `SELECT ${COLUMNS} FROM reconciliation_run`);
const LEASE = sql(
  'reconciliation_run.lease',
  `UPDATE reconciliation_run SET leased_until = clock_timestamp() + interval '5 minutes'
    WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until < clock_timestamp())
   RETURNING ${COLUMNS}, leased_until::text AS lease`,
);
const SAVE = sql(
  'reconciliation_run.save',
  `UPDATE reconciliation_run SET phase = $2, check_name = $3, cursor = $4, looked = $5, failures = $6, undone = $7, due_at = $8,
          started_at = $9, ended_at = $10, run = $11, days = $12, settle_ms = $13, accept_lost_money = $14, whole_at = $15,
          leased_until = NULL
    WHERE leased_until = $1::timestamptz RETURNING run`,
);
const SCHEDULE = sql(
  'reconciliation_run.schedule',
  'UPDATE reconciliation_run SET due_at = $1 WHERE due_at IS NULL',
);
/**
 * A requested run starts immediately, unless a run is under way. While the nightly run is starting nothing is written, because its
 * save would overwrite these options.
 */
const ASK = sql(
  'reconciliation_run.ask',
  `UPDATE reconciliation_run SET due_at = timestamptz '2000-01-01', days = $1, settle_ms = $2, accept_lost_money = $3
    WHERE phase = 'idle' AND (leased_until IS NULL OR leased_until < clock_timestamp()) RETURNING run + 1 AS run`,
);
const KEEP = sql(
  'reconciliation_findings.keep',
  `INSERT INTO reconciliation_findings (run, kind, object, check_name, tenant, facts, state, found_at)
   SELECT $1, f.kind, f.object, $2, f.tenant, f.facts, 'suspected', clock_timestamp()
     FROM jsonb_to_recordset($3::jsonb) AS f (kind text, object text, tenant text, facts jsonb)
   ON CONFLICT (run, kind, object) DO NOTHING`,
);
const IN_STATE = sql(
  'reconciliation_findings.in_state',
  `SELECT kind, object, tenant, facts, check_name, state FROM reconciliation_findings
    WHERE run = $1 AND state = $2 AND check_name = $3 ORDER BY kind, object LIMIT $4`,
);
const NEXT_CHECK = sql(
  'reconciliation_findings.next_check',
  'SELECT min(check_name) AS check_name FROM reconciliation_findings WHERE run = $1 AND state = $2',
);
const SETTLE = sql(
  'reconciliation_findings.settle',
  'UPDATE reconciliation_findings SET state = $4, facts = $5 WHERE run = $1 AND kind = $2 AND object = $3',
);
const DROP = sql(
  'reconciliation_findings.drop',
  'DELETE FROM reconciliation_findings WHERE run = $1 AND kind = $2 AND object = $3',
);
const FORGET = sql(
  'reconciliation_findings.forget',
  `WITH gone AS (
     DELETE FROM reconciliation_findings WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM reconciliation_findings WHERE run < $1 ORDER BY run, kind, object LIMIT $2))
     RETURNING 1)
   SELECT count(*)::int AS n FROM gone`,
);
const FORGET_SEEN = sql(
  'reconciliation_seen.forget',
  `WITH gone AS (
     DELETE FROM reconciliation_seen WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM reconciliation_seen ORDER BY check_name, key LIMIT $1))
     RETURNING 1)
   SELECT count(*)::int AS n FROM gone`,
);
const SEE = sql(
  'reconciliation_seen.add',
  'INSERT INTO reconciliation_seen (check_name, key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
);
const COUNTS = sql(
  'reconciliation_findings.counts',
  'SELECT kind, state, count(*)::int AS n FROM reconciliation_findings WHERE run = $1 GROUP BY kind, state ORDER BY kind, state',
);
const PAGE = sql(
  'reconciliation_findings.page',
  `SELECT kind, object, tenant, facts, check_name, state FROM reconciliation_findings
    WHERE run = $1 AND (kind, object) > ($2, $3) ORDER BY kind, object LIMIT $4`,
);

export async function readRun(db: Queryable): Promise<Run> {
  const [row] = await db.query<Run>(READ);
  if (!row) throw new Error('the row of reconciliation_run is missing');
  return row;
}

/** Leases the run when a step is due at `wallNow`; null when none is due, or another replica has it. */
export async function leaseRun(db: Queryable, wallNow: Date): Promise<LeasedRun | null> {
  return (await db.query<LeasedRun>(LEASE, [wallNow]))[0] ?? null;
}

/** Saves the progress and ends the lease. False: the lease had expired, and another replica has continued the run. */
export async function saveRun(db: Queryable, lease: string, run: Run): Promise<boolean> {
  const place = [run.phase, run.check_name, run.cursor, run.looked, run.failures, JSON.stringify(run.undone)];
  const times = [run.due_at, run.started_at, run.ended_at];
  const options = [run.days, run.settle_ms, run.accept_lost_money];
  return (await db.query(SAVE, [lease, ...place, ...times, run.run, ...options, run.whole_at])).length > 0;
}

/** Schedules the first night; runs schedule the later ones. */
export async function scheduleFirst(db: Queryable, at: Date): Promise<void> {
  await db.query(SCHEDULE, [at]);
}

/** The options of a requested run. */
export interface RunOptions {
  readonly days: number;
  readonly settleMs: number;
  readonly acceptLostMoney: boolean;
}

/** Requests a run of the running service and returns its number. Null: a run is under way or starting. */
export async function askForRun(db: Queryable, options: RunOptions): Promise<number | null> {
  const { days, settleMs, acceptLostMoney } = options;
  const [row] = await db.query<{ run: number }>(ASK, [days, settleMs, acceptLostMoney]);
  return row?.run ?? null;
}

export async function keepFindings(
  db: Queryable,
  run: number,
  check: string,
  found: readonly Finding[],
): Promise<void> {
  if (found.length > 0) await db.query(KEEP, [run, check, JSON.stringify(found)]);
}

/** The first check by name that has findings in this state; null when none has. */
export async function checkWith(
  db: Queryable,
  run: number,
  state: KeptFinding['state'],
): Promise<string | null> {
  return (await db.query<{ check_name: string | null }>(NEXT_CHECK, [run, state]))[0]?.check_name ?? null;
}

/** The findings of one check of a run that are in one state. */
interface OneCheck {
  readonly run: number;
  readonly check: string;
  readonly state: KeptFinding['state'];
}

export function findingsOf(
  db: Queryable,
  { run, check, state }: OneCheck,
  most: number,
): Promise<KeptFinding[]> {
  return db.query<KeptFinding>(IN_STATE, [run, state, check, most]);
}

export async function settleFinding(
  db: Queryable,
  run: number,
  finding: Finding,
  state: KeptFinding['state'],
): Promise<void> {
  await db.query(SETTLE, [run, finding.kind, finding.object, state, JSON.stringify(finding.facts)]);
}

export async function dropFinding(db: Queryable, run: number, finding: Finding): Promise<void> {
  await db.query(DROP, [run, finding.kind, finding.object]);
}

/** Rows that one statement deletes: a run over a month has read millions of entries, and a statement has ten seconds (decision 0025). */
export const DELETED_AT_ONCE = 10_000;

/**
 * Deletes all but the last run and the starting one, `run`; at most `DELETED_AT_ONCE` rows of each table. Returns whether there may
 * be more.
 */
export async function deleteRuns(db: Queryable, run: number): Promise<boolean> {
  const deleted = [
    await db.query<{ n: number }>(FORGET, [run - 1, DELETED_AT_ONCE]),
    await db.query<{ n: number }>(FORGET_SEEN, [DELETED_AT_ONCE]),
  ];
  return deleted.some(([row]) => row?.n === DELETED_AT_ONCE);
}

/** Stores the entries that an outside system has, to find our rows that are missing there. */
export async function noteSeen(db: Queryable, check: string, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await db.query(SEE, [check, keys]);
}

export function countFindings(
  db: Queryable,
  run: number,
): Promise<{ kind: string; state: KeptFinding['state']; n: number }[]> {
  return db.query(COUNTS, [run]);
}

/** The findings of a run after `after`, by kind and object. */
export function pageOfFindings(
  db: Queryable,
  run: number,
  after: { readonly kind: string; readonly object: string },
  most: number,
): Promise<KeptFinding[]> {
  return db.query<KeptFinding>(PAGE, [run, after.kind, after.object, most]);
}
