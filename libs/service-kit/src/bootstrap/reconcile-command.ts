import { sql, type Queryable, type Statement } from '@fundrail/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Environment } from '../config/environment.ts';
import { databaseUrlFor } from '../db/migrate.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import {
  askForRun,
  countFindings,
  pageOfFindings,
  readRun,
  type Run,
} from '../reconciliation/reconciliation.repository.ts';
import type { CommandEnd } from './migrate-command.ts';

const USAGE =
  'usage: main.js reconcile [--days N] [--settle SECONDS] [--accept-lost-money] [--last] | restored';

const DAYS = { least: 1, most: 30, usual: 3 };
const USUAL_SETTLE_SECONDS = 60;
const LOOK_EVERY_MS = 250;
/** A run goes on whether somebody watches it or not. */
const WATCHED_FOR_MS = 6 * 3_600_000;
const PAGE = 500;
/** More than any service draws in the time that a backup is old. */
const IDS_LEFT_OUT = 1_000_000;

// What was drawn after the backup is known to neighbours, providers and clients: it must not be drawn again.
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

interface Asked {
  readonly days: number;
  readonly settleMs: number;
  readonly acceptLostMoney: boolean;
  /** Only what the last run has left. */
  readonly isLast: boolean;
}

/**
 * `main.js reconcile`: has the running service compare itself with its neighbours and outside systems now, and prints what it found,
 * one line of JSON a finding. Ends with 0 when everything agrees or was mended, with 1 when something is left for a person, with 2
 * when something could not be compared. Rejects when the database does not answer.
 */
export async function reconcileCommand(
  { name }: Pick<ServiceDefinition, 'name'>,
  args: readonly string[],
  env: Environment,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<CommandEnd> {
  const asked = readArgs(args);
  if (!asked) return { code: 2, line: USAGE };
  return withDatabase(databaseUrlFor(name, env), async (db) => {
    const run = asked.isLast ? await readRun(db) : await runOnce(db, asked);
    if (!run) return { code: 2, line: `${name}: the run has not ended; is the service running?` };
    await printFindings(db, name, run, print);
    return summary(db, name, run);
  });
}

/**
 * `main.js restored`: for a stopped service whose database was put back from a backup: leaves out the ids that were drawn since, so
 * that no neighbour, provider or client meets one of them again.
 */
export async function restoredCommand(
  { name }: Pick<ServiceDefinition, 'name'>,
  args: readonly string[],
  env: Environment,
): Promise<CommandEnd> {
  if (args.length > 0) return { code: 2, line: USAGE };
  return withDatabase(databaseUrlFor(name, env), async (db) => {
    const skipped = await db.query(SKIP_IDS, [IDS_LEFT_OUT]);
    await db.query(FORGET_RUN);
    return {
      code: 0,
      line: `${name}: ${skipped.length} sequences go on ${IDS_LEFT_OUT} numbers later; start it, and reconcile`,
    };
  });
}

/** Whether `reconcileCommand` takes these arguments. */
export function isReconcileUsage(args: readonly string[]): boolean {
  return readArgs(args) !== null;
}

function readArgs(args: readonly string[]): Asked | null {
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
 * Asks for a run and waits until it has ended; joins the one that goes on, where it does all that is asked for, and else waits for its
 * end and asks then. Null when it takes too long.
 */
async function runOnce(db: Queryable, asked: Asked): Promise<Run | null> {
  const end = Date.now() + WATCHED_FOR_MS;
  let wanted: number | null = null;
  while (Date.now() < end) {
    wanted ??= (await askForRun(db, asked)) ?? (await numberToJoin(db, asked));
    const run = await readRun(db);
    if (wanted !== null && run.run >= wanted && run.phase === 'idle') return run;
    await pause(LOOK_EVERY_MS);
  }
  return null;
}

/** Null when none goes on, or another one than is asked for. */
async function numberToJoin(db: Queryable, asked: Asked): Promise<number | null> {
  const { run, phase, days, accept_lost_money } = await readRun(db);
  const isEnough = days >= asked.days && (accept_lost_money || !asked.acceptLostMoney);
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
  // Of this connection a bigint comes as text.
  const looked = Number.parseInt(String(run.looked), 10);
  const told = { service, ended_at, looked, repaired: of('repaired'), open: of('open'), undone };
  const code = undone.length > 0 ? 2 : told.open > 0 ? 1 : 0;
  return { code, line: JSON.stringify(told) };
}

async function withDatabase(url: string, work: (db: Queryable) => Promise<CommandEnd>): Promise<CommandEnd> {
  // The kit's own parsers are for its pool; here a count and an id are read as they come.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work({
      query: async <Row>({ name, text }: Statement, values: readonly unknown[] = []) =>
        (await client.query({ name, text, values: [...values] })).rows as Row[],
    });
  } finally {
    await client.end();
  }
}
