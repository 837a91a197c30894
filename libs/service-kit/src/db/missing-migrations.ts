import pg from 'pg';
import { ownDatabaseUrl } from './migrate.ts';
import { clientClassFor } from './rotating-password.ts';
import type { ServiceDefinition } from './service-definition.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** No such database, no such table: no migration has run yet. */
const NOTHING_THERE = new Set(['3D000', '42P01']);

/**
 * The names of this build's migrations that have not run in the service's database. Other migrations there do not matter: a build
 * can use the database of a later release, because migrations expand first and contract in a later release. Rejects when the
 * server does not answer.
 */
export async function missingMigrations(
  { name, migrations }: Pick<ServiceDefinition, 'name' | 'migrations'>,
  databaseUrl: string,
): Promise<string[]> {
  const done = await namesOfDone(ownDatabaseUrl(name, databaseUrl));
  return migrations.map((migration) => migration.name).filter((migration) => !done.has(migration));
}

/** Reads the table that TypeORM keeps. */
async function namesOfDone(url: string): Promise<Set<string>> {
  const client = new (clientClassFor(url))({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection that ends between two statements makes the next one fail.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    return new Set(rows.map((row) => row.name));
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOTHING_THERE.has(error.code ?? '')) return new Set();
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
