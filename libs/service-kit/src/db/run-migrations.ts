import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { adoptBaselines } from './adopt-baselines.ts';
import { isLockTimeout, isRetryable } from './database-errors.ts';
import { clientClassFor } from './rotating-password.ts';
import type { MigrationClass, ServiceDefinition } from './service-definition.ts';

// Any fixed number: two migrators of one database wait for each other on it.
const MIGRATION_LOCK = 7_266_001;
const TRY_EVERY_MS = 200;

/** How a migrator waits. */
export interface MigrationPatience {
  /** The longest wait of a statement for a lock, and so of the writers behind it. */
  readonly lockTimeoutMs: number;
  /** The pause between two attempts at a lock, in which queued writers continue. */
  readonly pauseMs: number;
  /** How long to wait for another migrator, and how long to repeat attempts. Then a Job or an operator has to start it again. */
  readonly giveUpMs: number;
}

/**
 * Two seconds are more than `deadlock_timeout`, after which PostgreSQL cancels an autovacuum that holds the lock, and less than the
 * five seconds for which a request waits for a connection.
 */
export const MIGRATION_PATIENCE: MigrationPatience = {
  lockTimeoutMs: 2_000,
  pauseMs: 1_000,
  giveUpMs: 600_000,
};

/**
 * Runs the outstanding migrations in their order, each in a separate transaction or in none (`transaction = false`), while no
 * other migrator runs (decision 0028). Where a baseline's migrations have run, it is recorded and not run (decision 0045). When one
 * fails, the migrations before it stay, and the next run continues with it.
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
    extra: { Client: clientClassFor(url) },
  });
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    // A limit of the role is for requests.
    await runner.query('SET statement_timeout = 0');
    await lockOutOthers(runner, patience);
    await runner.query(`SET lock_timeout = ${patience.lockTimeoutMs}`);
    await runAll(dataSource, runner, definition.migrations, patience);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/**
 * Waits until no other migrator works on the database. It polls and never waits inside a statement, because a waiting statement has a
 * snapshot, and the other migrator's `CREATE INDEX CONCURRENTLY` would wait for that. The lock belongs to the migrating connection,
 * so it is held while a statement runs, even when the client has died.
 */
async function lockOutOthers(runner: QueryRunner, { giveUpMs }: MigrationPatience): Promise<void> {
  const end = Date.now() + giveUpMs;
  for (;;) {
    const rows: unknown = await runner.query('SELECT pg_try_advisory_lock($1) AS got', [MIGRATION_LOCK]);
    const [first] = rows as { got: boolean }[];
    if (first?.got === true) return;
    if (Date.now() >= end)
      throw new Error(
        `another migrator of this database is still running after ${giveUpMs / 1000} s (${await lockHolder(runner)}); run migrate again when it has ended`,
      );
    await pause(TRY_EVERY_MS);
  }
}

async function lockHolder(runner: QueryRunner): Promise<string> {
  const rows: unknown = await runner.query(
    `SELECT pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted AND a.datname = current_database()`,
    [MIGRATION_LOCK],
  );
  const [first] = rows as { pid: number }[];
  return first ? `process ${first.pid} of PostgreSQL, see pg_stat_activity` : 'it ended just now';
}

/**
 * Records baselines, then runs the outstanding migrations. One that did not get a lock, or lost a deadlock, was rolled back and is
 * retried.
 */
async function runAll(
  dataSource: DataSource,
  runner: QueryRunner,
  migrations: readonly MigrationClass[],
  { pauseMs, giveUpMs }: MigrationPatience,
): Promise<void> {
  const end = Date.now() + giveUpMs;
  for (;;) {
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    try {
      await adoptBaselines(runner, migrations);
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      if (Date.now() >= end)
        throw new Error(
          `a migration got no lock in ${giveUpMs / 1000} s: it waits for an open transaction, see pg_stat_activity`,
          { cause: error },
        );
    }
    await pause(pauseMs);
  }
}
