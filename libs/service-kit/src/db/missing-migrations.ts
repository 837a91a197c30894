import pg from 'pg';
import { ownDatabaseUrl } from './migrate.ts';
import type { ServiceDefinition } from './service-definition.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** No such database, no such table: nothing has run yet. */
const NOTHING_THERE = new Set(['3D000', '42P01']);

/**
 * The names of this build's migrations that have not run in the service's database. What else has run there does not matter: a
 * database ahead of a build suits it, because migrations expand first and contract in a later release. Rejects when
 * the server does not answer.
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
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // An end that comes between two statements is told by the next one.
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
