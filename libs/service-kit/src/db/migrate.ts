import { storedNameOf, type ServiceName } from '@fundrail/contracts';
import pg from 'pg';
import { clientClassFor, withPasswordSource } from './rotating-password.ts';
import { MIGRATION_PATIENCE, runMigrations, type MigrationPatience } from './run-migrations.ts';
import type { ServiceDefinition } from './service-definition.ts';

const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

/**
 * The URL of a service's own database: `<NAME>_DATABASE_URL` when it is given, otherwise `fundrail_<stored name>` on the server of
 * `DATABASE_URL` (OPS-7). Contains the source of the password when a variable names one (`withPasswordSource`).
 */
export function databaseUrlFor(name: ServiceName, env: Readonly<Record<string, string | undefined>>): string {
  const own = env[`${name.toUpperCase()}_DATABASE_URL`];
  if (own) return withPasswordSource(own, env);
  const server = env['DATABASE_URL'];
  if (!server) throw new Error(`DATABASE_URL is required: the URL of a PostgreSQL server`);
  return withPasswordSource(onServer(server, `fundrail_${storedNameOf(name)}`), env);
}

/** A URL that names no database, or `postgres`, means `fundrail_<stored name>` on that server. */
export function ownDatabaseUrl(name: ServiceName, databaseUrl: string): string {
  const isServer = ['', 'postgres'].includes(databaseName(databaseUrl));
  return isServer ? onServer(databaseUrl, `fundrail_${storedNameOf(name)}`) : databaseUrl;
}

/**
 * Brings a service's database up to date: creates it when it is missing, then runs the outstanding migrations one by one, while no
 * other migrator runs. Writers are not blocked. Rejects when a migration fails or `giveUpMs` is over; migrations that ran before
 * stay, and the next call continues after them. For the URL see `ownDatabaseUrl`.
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

/** Creates the database unless it exists. Connects to `postgres`, which every server has. */
async function createMissing(url: string): Promise<void> {
  const name = databaseName(url);
  const client = new (clientClassFor(url))({ connectionString: onServer(url, 'postgres') });
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
