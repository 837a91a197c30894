import type { QueryRunner } from 'typeorm';

/**
 * How long such a statement waits for one lock or one transaction that is older than it. Nobody waits behind it meanwhile, so it may
 * be long; a transaction that was forgotten open ends it with a message that says so, and the migrator tries again.
 */
const PATIENCE = '10min';

/** An index as `CREATE INDEX` names it: `on` is all that comes after the name, from the table on. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly on: string;
  readonly unique?: boolean;
}

/**
 * Makes an index on a table that is in use: writers go on meanwhile (`CREATE INDEX CONCURRENTLY`). For a migration of its own with
 * `transaction = false`, which then may be run any number of times: an index that is there and whole is left alone, and one that a
 * crash or a broken rule left behind INVALID is dropped and made again. Indexes are told apart by their names only: one that
 * changes gets another name, or the old one is renamed first. Rejects inside a transaction.
 */
export async function createIndexConcurrently(runner: QueryRunner, index: ConcurrentIndex): Promise<void> {
  await patiently(runner, async () => {
    if (await isLeftInvalid(runner, index.name))
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`);
    const kind = index.unique === true ? 'UNIQUE INDEX' : 'INDEX';
    await runner.query(`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${index.name} ON ${index.on}`);
  });
}

/** Drops an index, if it is there, of a table that is in use: neither readers nor writers wait. Rejects inside a transaction. */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await patiently(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

async function isLeftInvalid(runner: QueryRunner, name: string): Promise<boolean> {
  const rows: unknown = await runner.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  return Array.isArray(rows) && rows.length > 0;
}

/** Runs statements under a lock timeout of their own: the one of the migrator is for locks that writers queue up behind. */
async function patiently(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  if (runner.isTransactionActive)
    throw new Error('an index is made or dropped concurrently only in a migration with transaction = false');
  const rows: unknown = await runner.query(`SELECT current_setting('lock_timeout') AS before`);
  const [first] = rows as { before: string }[];
  await runner.query(`SET lock_timeout = '${PATIENCE}'`);
  try {
    await work();
  } finally {
    await runner.query("SELECT set_config('lock_timeout', $1, false)", [first?.before ?? '0']);
  }
}
