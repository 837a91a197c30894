import type { ServiceName } from '@fundrail/contracts';
import pg from 'pg';
import { MIGRATION_PATIENCE, runMigrations, type MigrationPatience } from './run-migrations.ts';
import type { ServiceDefinition } from './service-definition.ts';

const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

/**
 * The URL of a service's own database: `<NAME>_DATABASE_URL` when it is given, otherwise `fundrail_<name>` on the server of
 * `DATABASE_URL` (contract §10 "Authentication and administration").
 */
export function databaseUrlFor(name: ServiceName, env: Readonly<Record<string, string | undefined>>): string {
  const own = env[`${name.toUpperCase()}_DATABASE_URL`];
  if (own) return own;
  const server = env['DATABASE_URL'];
  if (!server) throw new Error(`DATABASE_URL is required: the URL of a PostgreSQL server`);
  return onServer(server, `fundrail_${name}`);
}

/** A URL that names no database, or `postgres`, means `fundrail_<name>` on that server. */
export function ownDatabaseUrl(name: ServiceName, databaseUrl: string): string {
  const named = databaseName(databaseUrl);
  return named === '' || named === 'postgres' ? onServer(databaseUrl, `fundrail_${name}`) : databaseUrl;
}

/**
 * Brings a service's database up to date: creates it when it is missing, then runs the outstanding migrations, each by itself, while
 * no other migrator does. Writers of the database go on meanwhile. Rejects when a migration fails, or its patience is over; what ran
 * before stays, and the next call goes on. The URL is taken as `ownDatabaseUrl` says.
 */
export async function migrate(
  definition: Pick<ServiceDefinition, 'name' | 'migrations'>,
  databaseUrl: string,
  patience: Partial<MigrationPatience> = {},
): Promise<void> {
  const url = ownDatabaseUrl(definition.name, databaseUrl);
  await createMissing(url);
  await runMigrations(definition, url, { ...MIGRATION_PATIENCE, ...patience });
}

/** Creates the database unless it is there. Asked of `postgres`, which every server has. */
async function createMissing(url: string): Promise<void> {
  const name = databaseName(url);
  const client = new pg.Client({ connectionString: onServer(url, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (!createdMeanwhile(error)) throw error;
  } finally {
    await client.end();
  }
}

function createdMeanwhile(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code === DUPLICATE_DATABASE || error.code === UNIQUE_VIOLATION)
  );
}

function databaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

function onServer(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
