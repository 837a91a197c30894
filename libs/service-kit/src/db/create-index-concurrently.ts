import type { QueryRunner } from 'typeorm';

/**
 * How long such a statement waits for a lock, or for a transaction that is older than it. No other statement waits behind it, so the
 * wait may be long. When a transaction stays open, the statement fails with a message that states this, and the migrator retries.
 */
const PATIENCE = '10min';

/** An index as in `CREATE INDEX`: `on` is the rest of the statement, starting with the table. */
interface ConcurrentIndex {
  readonly name: string;
  readonly on: string;
  readonly unique?: boolean;
}

/**
 * Creates an index on a table without blocking its writers (`CREATE INDEX CONCURRENTLY`). For a separate migration with
 * `transaction = false`, which may run any number of times: a valid index is kept, and one that a crash or a broken rule left INVALID
 * is dropped and created again. Indexes are compared only by name: a changed index needs another name, or the old one is renamed
 * first. Rejects inside a transaction.
 */
export async function createIndexConcurrently(runner: QueryRunner, index: ConcurrentIndex): Promise<void> {
  await patiently(runner, async () => {
    if (await isLeftInvalid(runner, index.name))
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`);
    const kind = index.unique === true ? 'UNIQUE INDEX' : 'INDEX';
    await runner.query(`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${index.name} ON ${index.on}`);
  });
}

/** Drops an index, if it exists, without blocking readers or writers. Rejects inside a transaction. */
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

/** Runs statements with a longer lock timeout: the migrator's is for locks behind which writers queue up. */
async function patiently(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  if (runner.isTransactionActive)
    throw new Error(
      'an index can be created or dropped concurrently only in a migration with transaction = false',
    );
  const rows: unknown = await runner.query(`SELECT current_setting('lock_timeout') AS before`);
  const [first] = rows as { before: string }[];
  await runner.query(`SET lock_timeout = '${PATIENCE}'`);
  try {
    await work();
  } finally {
    await runner.query("SELECT set_config('lock_timeout', $1, false)", [first?.before ?? '0']);
  }
}
