import { sql, type Queryable } from '@fundrail/persistence';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Environment } from '../config/environment.ts';
import { databaseUrlFor } from '../db/migrate.ts';
import { withPlainConnection } from '../db/open-database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import {
  askForRun,
  countFindings,
  pageOfFindings,
  readRun,
  type Run,
  type RunOptions,
} from '../reconciliation/reconciliation.repository.ts';
import type { CommandEnd } from './migrate-command.ts';

const USAGE =
  'usage: main.js reconcile [--days N] [--settle SECONDS] [--accept-lost-money] [--last] | restored';

const DAYS = { least: 1, most: 30, usual: 3 };
const USUAL_SETTLE_SECONDS = 60;
const POLL_EVERY_MS = 250;
/** The command stops waiting after this; the run itself continues. */
const WAIT_LIMIT_MS = 6 * 3_600_000;
const PAGE = 500;
/** More ids than any service draws between a backup and its restore. */
const SKIPPED_IDS = 1_000_000;

// Other services, providers and clients know the ids that were drawn after the backup, so they must not be drawn again.
const SKIP_IDS = sql(
  'restored.skip_ids',
  `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, start_value) + $1 * increment_by)
     FROM pg_sequences WHERE schemaname = 'public'`,
);
const FORGET_RUN = sql(
  'restored.forget_run',
  `UPDATE reconciliation_run SET phase = 'idle', check_name = NULL, cursor = NULL, leased_until = NULL, days = DEFAULT,
          settle_ms = DEFAULT, accept_lost_money = DEFAULT`,
);

interface Options extends RunOptions {
  /** Only print the result of the last run. */
  readonly isLast: boolean;
}

/**
 * `main.js reconcile`: has the running service compare itself with other services and outside systems now, and prints each finding
 * as one line of JSON. Ends with 0 when everything agrees or was repaired, with 1 when a finding is open, with 2 when something
 * could not be compared. Rejects when the database does not answer.
 */
export async function reconcileCommand(
  { name }: Pick<ServiceDefinition, 'name'>,
  args: readonly string[],
  env: Environment,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<CommandEnd> {
  const options = readArgs(args);
  if (!options) return { code: 2, line: USAGE };
  return withPlainConnection(databaseUrlFor(name, env), async (db) => {
    const run = options.isLast ? await readRun(db) : await runOnce(db, options);
    if (!run) return { code: 2, line: `${name}: the run has not ended; is the service running?` };
    await printFindings(db, name, run, print);
    return summary(db, name, run);
  });
}

/**
 * `main.js restored`: for a stopped service whose database was restored from a backup. Skips the ids that were drawn since the
 * backup, so that other services, providers and clients never see one of them for another object.
 */
export async function restoredCommand(
  { name }: Pick<ServiceDefinition, 'name'>,
  args: readonly string[],
  env: Environment,
): Promise<CommandEnd> {
  if (args.length > 0) return { code: 2, line: USAGE };
  return withPlainConnection(databaseUrlFor(name, env), async (db) => {
    const skipped = await db.query(SKIP_IDS, [SKIPPED_IDS]);
    await db.query(FORGET_RUN);
    return {
      code: 0,
      line: `${name}: ${skipped.length} sequences continue ${SKIPPED_IDS} numbers later; start the service, then reconcile`,
    };
  });
}

/** Whether `reconcileCommand` takes these arguments. */
export function isReconcileUsage(args: readonly string[]): boolean {
  return readArgs(args) !== null;
}

function readArgs(args: readonly string[]): Options | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        days: { type: 'string' },
        settle: { type: 'string' },
        'accept-lost-money': { type: 'boolean' },
        last: { type: 'boolean' },
      },
    });
    const days = Number(values.days ?? DAYS.usual);
    const seconds = Number(values.settle ?? USUAL_SETTLE_SECONDS);
    if (!Number.isInteger(days) || days < DAYS.least || days > DAYS.most) return null;
    if (!(seconds >= 0 && seconds <= 3_600)) return null;
    return {
      days,
      settleMs: Math.round(seconds * 1000),
      acceptLostMoney: values['accept-lost-money'] ?? false,
      isLast: values.last ?? false,
    };
  } catch {
    return null;
  }
}

/**
 * Requests a run and waits until it has ended. Joins a run that is under way when it covers the options; else waits for its end and
 * requests another. Null when it takes too long.
 */
async function runOnce(db: Queryable, options: Options): Promise<Run | null> {
  const end = Date.now() + WAIT_LIMIT_MS;
  let wanted: number | null = null;
  while (Date.now() < end) {
    wanted ??= (await askForRun(db, options)) ?? (await numberToJoin(db, options));
    const run = await readRun(db);
    if (wanted !== null && run.run >= wanted && run.phase === 'idle') return run;
    await pause(POLL_EVERY_MS);
  }
  return null;
}

/** The number of the run under way; null when there is none, or when it does not cover the options. */
async function numberToJoin(db: Queryable, options: Options): Promise<number | null> {
  const { run, phase, days, accept_lost_money } = await readRun(db);
  const isEnough = days >= options.days && (accept_lost_money || !options.acceptLostMoney);
  return phase !== 'idle' && isEnough ? run : null;
}

async function printFindings(
  db: Queryable,
  service: string,
  { run }: Run,
  print: (line: string) => void,
): Promise<void> {
  let after = { kind: '', object: '' };
  for (;;) {
    const found = await pageOfFindings(db, run, after, PAGE);
    for (const { kind, object, tenant, state, facts } of found)
      print(JSON.stringify({ service, kind, object, tenant, state, facts }));
    const last = found.at(-1);
    if (!last || found.length < PAGE) return;
    after = last;
  }
}

async function summary(db: Queryable, service: string, run: Run): Promise<CommandEnd> {
  const counts = await countFindings(db, run.run);
  const of = (state: string) =>
    counts.filter((count) => count.state === state).reduce((sum, { n }) => sum + n, 0);
  const { undone, ended_at } = run;
  // On this connection a bigint is text.
  const looked = Number.parseInt(String(run.looked), 10);
  const totals = { service, ended_at, looked, repaired: of('repaired'), open: of('open'), undone };
  const code = undone.length > 0 ? 2 : totals.open > 0 ? 1 : 0;
  return { code, line: JSON.stringify(totals) };
}
