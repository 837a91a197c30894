import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { isLockTimeout, isRetryable } from './database-errors.ts';
import type { ServiceDefinition } from './service-definition.ts';

// Any fixed number: two migrators of one database wait for each other on it.
const MIGRATION_LOCK = 7_266_001;
const ASK_EVERY_MS = 200;

/** How a migrator waits. */
export interface MigrationPatience {
  /** The longest that a statement waits for a lock, and so that writers wait behind it. Of PostgreSQL's time. */
  readonly lockTimeoutMs: number;
  /** Between two tries of a migration that did not get its lock: writers that have queued up go on. */
  readonly pauseMs: number;
  /** How long another migrator is waited for, and how long tries go on. A Job or an operator then starts it again. */
  readonly giveUpMs: number;
}

/**
 * Two seconds are more than `deadlock_timeout`, after which PostgreSQL ends an autovacuum that stands in the way, and less than the
 * five for which a request waits for a connection of its service.
 */
export const MIGRATION_PATIENCE: MigrationPatience = {
  lockTimeoutMs: 2_000,
  pauseMs: 1_000,
  giveUpMs: 600_000,
};

/**
 * Runs the outstanding migrations in their order, each in a transaction of its own or in none (`transaction = false`), while no
 * other migrator does (decision 0028). One that fails leaves those before it, and the next run goes on with it.
 */
export async function runMigrations(
  definition: Pick<ServiceDefinition, 'migrations'>,
  url: string,
  patience: MigrationPatience,
): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [...definition.migrations],
    installExtensions: false,
    poolSize: 1,
    applicationName: 'fundrail-migrate',
  });
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    // Whatever limit the role has is meant for requests.
    await runner.query('SET statement_timeout = 0');
    await lockOutOthers(runner, patience);
    await runner.query(`SET lock_timeout = ${patience.lockTimeoutMs}`);
    await runAll(dataSource, runner, patience);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/**
 * Waits until no other migrator works on the database. It asks again and again and never waits inside a statement: that would have a
 * snapshot, for whose end the other's `CREATE INDEX CONCURRENTLY` waits. The lock belongs to the connection that migrates, so that
 * it stays for as long as a statement runs on whose client has died.
 */
async function lockOutOthers(runner: QueryRunner, { giveUpMs }: MigrationPatience): Promise<void> {
  const end = Date.now() + giveUpMs;
  for (;;) {
    const rows: unknown = await runner.query('SELECT pg_try_advisory_lock($1) AS got', [MIGRATION_LOCK]);
    const [first] = rows as { got: boolean }[];
    if (first?.got === true) return;
    if (Date.now() >= end)
      throw new Error(
        `another migrator of this database is still at work after ${giveUpMs / 1000} s (${await whoHasIt(runner)}); run migrate again when it has ended`,
      );
    await pause(ASK_EVERY_MS);
  }
}

async function whoHasIt(runner: QueryRunner): Promise<string> {
  const rows: unknown = await runner.query(
    `SELECT pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted AND a.datname = current_database()`,
    [MIGRATION_LOCK],
  );
  const [first] = rows as { pid: number }[];
  return first ? `process ${first.pid} of PostgreSQL, see pg_stat_activity` : 'it ended just now';
}

/** Runs what is outstanding; a migration that met a lock, or lost a deadlock, was rolled back and is tried again. */
async function runAll(
  dataSource: DataSource,
  runner: QueryRunner,
  { pauseMs, giveUpMs }: MigrationPatience,
): Promise<void> {
  const end = Date.now() + giveUpMs;
  for (;;) {
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    try {
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      if (Date.now() >= end)
        throw new Error(
          `a migration got no lock in ${giveUpMs / 1000} s of trying: a transaction is open that it waits for, see pg_stat_activity`,
          { cause: error },
        );
    }
    await pause(pauseMs);
  }
}
