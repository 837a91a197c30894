import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Clock } from './clock.ts';
import { Database, type DatabaseOptions } from './database.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { domainTypes } from './type-parsers.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A process that hangs inside a transaction loses it, well before the 60 s for which a dead request may hold its key. */
const IDLE_IN_TRANSACTION_MS = 30_000;

export interface OpenDatabaseOptions extends DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
}

/** Connects to the service's database: one pool, which TypeORM's reads and our statements share. */
export async function openDatabase(
  definition: Pick<ServiceDefinition, 'name' | 'entities'>,
  clock: Clock,
  options: OpenDatabaseOptions,
): Promise<Database> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: [...definition.entities],
    synchronize: false,
    installExtensions: false,
    applicationName: `fundrail-${definition.name}`,
    poolSize: options.poolSize,
    // The default of TypeORM 1; said here because `findOneBy({ id: undefined })` must never answer some row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      types: domainTypes,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    },
  });
  await dataSource.initialize();
  const pool = (dataSource.driver as PostgresDriver).master as pg.Pool;
  return new Database(dataSource, pool, clock, options);
}

/** A connection of its own, outside the pool: for the relay's leadership. */
export async function connectAlone(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name, keepAlive: true });
  await client.connect();
  return client;
}
