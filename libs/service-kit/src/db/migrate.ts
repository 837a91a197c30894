import type { ServiceName } from '@fundrail/contracts';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { ServiceDefinition } from './service-definition.ts';

// Any fixed number: two migrators of one database wait for each other on it.
const MIGRATION_LOCK = 7_266_001;
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
 * Brings a service's database up to date: creates it when it is missing, then runs the outstanding migrations in one
 * transaction, alone (an advisory lock). The URL is taken as `ownDatabaseUrl` says.
 */
export async function migrate(
  definition: Pick<ServiceDefinition, 'name' | 'migrations'>,
  databaseUrl: string,
): Promise<void> {
  const url = ownDatabaseUrl(definition.name, databaseUrl);
  await createMissing(url);
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runMigrations(definition, url);
  } finally {
    await lock.end();
  }
}

async function runMigrations(definition: Pick<ServiceDefinition, 'migrations'>, url: string): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [...definition.migrations],
    installExtensions: false,
    poolSize: 1,
  });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'all' });
  } finally {
    await dataSource.destroy();
  }
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
