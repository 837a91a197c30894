import type { Queryable, Statement } from '@fundrail/messaging';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Clock } from './clock.ts';
import { Database, type DatabaseOptions } from './database.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { domainTypes } from './type-parsers.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A process that hangs inside a transaction loses it, well before the 60 s for which a dead request may hold its key. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/**
 * A server that hangs, or a machine that vanished, closes no connection: without a limit whoever asked it would wait for minutes, and
 * its connection with it. As long as a lease of due work: statements take milliseconds, batches less than a second.
 */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Connections plan a statement once and keep the plan. A table is small when it is planned, so reading all of it looks cheapest,
 * and is done for every row that follows until statistics are taken: a lease among 3000 deliveries looked at 9 million rows. No
 * statement of a service needs a whole table (decision 0010). Nor is any of them long enough to be compiled: PostgreSQL guesses
 * so of a lease, and compiling took 120 ms of 140, each time.
 */
export const PLAN_BY_INDEX = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

export interface OpenDatabaseOptions extends DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** What the connections call themselves; by the service's name when left out. */
  readonly applicationName?: string;
  /** After which a statement without an answer fails as one of a lost database, in wall milliseconds; 10 s when left out. */
  readonly queryTimeoutMs?: number;
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
    applicationName: options.applicationName ?? `fundrail-${definition.name}`,
    poolSize: options.poolSize,
    // The default of TypeORM 1; said here because `findOneBy({ id: undefined })` must never answer some row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      types: domainTypes,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
      keepAlive: true,
      options: PLAN_BY_INDEX,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    },
  });
  await dataSource.initialize();
  const pool = (dataSource.driver as PostgresDriver).master as pg.Pool;
  return new Database(dataSource, pool, clock, options);
}

/** A server asks an idle client for a sign of life, and takes one that gives none for gone: after 10 s, 9 times every 3 s. */
const CLIENT_CHECK = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=3';
const SERVER_CHECK_MS = 10_000;
/** Statements on such a connection take milliseconds: one that takes this long has lost its server. */
const ALONE_QUERY_TIMEOUT_MS = 30_000;

/**
 * A connection of its own, outside the pool: for the relay's leadership, and other locks that last longer than a transaction. A machine that vanishes closes no connection; so
 * both sides find out within 40 s, and the lock that the other holds is free for the next leader.
 */
export async function connectAlone(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: SERVER_CHECK_MS,
    query_timeout: ALONE_QUERY_TIMEOUT_MS,
    options: `${CLIENT_CHECK} ${PLAN_BY_INDEX}`,
  });
  await client.connect();
  return client;
}

/** The same to the database of a service that runs. The caller ends it; its end frees what it has locked. */
export function connectBeside({ dataSource }: Database, name: string): Promise<pg.Client> {
  const { url } = dataSource.options as PostgresDataSourceOptions;
  if (url === undefined) throw new Error('the database was opened without a URL');
  return connectAlone(url, name);
}

/** Runs a command's work on a connection of its own, and ends that. */
export async function withConnection<T>(
  url: string,
  name: string,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await connectAlone(url, name);
  // The statement that waits then tells it; without a listener the process would end with a stack.
  client.on('error', () => undefined);
  try {
    return await work({
      query: async <Row>({ name: statement, text }: Statement, values: readonly unknown[] = []) =>
        (await client.query({ name: statement, text, values: [...values] })).rows as Row[],
    });
  } finally {
    await client.end();
  }
}
