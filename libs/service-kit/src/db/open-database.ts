import type { Queryable, Statement } from '@fundrail/persistence';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Clock } from './clock.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { openFirstConnection } from './first-connection.ts';
import { clientClassFor } from './rotating-password.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { domainTypes } from './type-parsers.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A transaction of a hanging process is ended well before the 60 s for which a dead request may hold its key. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/**
 * A server that hangs, or a machine that is gone, closes no connection: without a limit a caller and its connection would wait for
 * minutes. The limit equals the lease of due work: statements take milliseconds, batches less than a second.
 */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Connections plan a statement once and keep the plan. On a small table a full scan looks cheapest, and the plan stays while the table
 * grows, until statistics are taken: a lease among 3000 deliveries read 9 million rows. No statement of a service needs a whole table
 * (decision 0010). None is long enough for compilation either: PostgreSQL compiled a lease each time, which took 120 of 140 ms.
 */
export const PLAN_BY_INDEX =
  '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c plan_cache_mode=force_generic_plan';

interface OpenDatabaseOptions extends DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** The `application_name` of the connections; the service's name when left out. */
  readonly applicationName?: string;
  /** Wall milliseconds after which a statement without an answer fails as on a lost database; 10 s when left out. */
  readonly queryTimeoutMs?: number;
}

/** Connects to the service's database: one pool, which TypeORM's reads and our statements share. */
export async function openDatabase(
  definition: Pick<ServiceDefinition, 'name' | 'tables'>,
  clock: Clock,
  options: OpenDatabaseOptions,
): Promise<Database> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: definition.tables.map(({ entity }) => entity),
    synchronize: false,
    installExtensions: false,
    applicationName: options.applicationName ?? `fundrail-${definition.name}`,
    poolSize: options.poolSize,
    // The default of TypeORM 1, stated because `findOneBy({ id: undefined })` must never return some row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      // The class of the pool's clients.
      Client: clientClassFor(options.url),
      types: domainTypes,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
      keepAlive: true,
      // Statements that a transaction sends without waiting for one another share a round trip. The server runs them in their order.
      pipeline: true,
      options: PLAN_BY_INDEX,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    },
  });
  await openFirstConnection(() => dataSource.initialize());
  const pool = (dataSource.driver as PostgresDriver).master as pg.Pool;
  return new Database(dataSource, pool, clock, options);
}

/** The server probes an idle client after 10 s, then every 3 s, and ends the connection after 9 probes without an answer. */
const CLIENT_CHECK = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=3';
const SERVER_CHECK_MS = 10_000;
/** Statements on such a connection take milliseconds; one that takes this long has lost its server. */
const ALONE_QUERY_TIMEOUT_MS = 30_000;

/**
 * A single connection outside the pool, for the relay's leadership and other locks that last longer than a transaction. When a
 * machine is gone without closing its connection, both sides notice within 40 s, and its lock is free for the next leader.
 */
export async function connectAlone(url: string, name: string): Promise<pg.Client> {
  const client = new (clientClassFor(url))({
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

/** The same to the database of a running service. The caller ends the connection, which releases its locks. */
export function connectBeside({ dataSource }: Database, name: string): Promise<pg.Client> {
  const { url } = dataSource.options as PostgresDataSourceOptions;
  if (url === undefined) throw new Error('the database was opened without a URL');
  return connectAlone(url, name);
}

/** Runs a command's work on a separate connection, then ends the connection. */
export async function withConnection<T>(
  url: string,
  name: string,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await connectAlone(url, name);
  // The waiting statement reports the error; without a listener the process would end with a stack trace.
  client.on('error', () => undefined);
  return runOn(client, work);
}

/** The same without any limit, for statements that may take long. The kit's type parsers are only for its pool: a bigint is text here. */
export async function withPlainConnection<T>(url: string, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = new (clientClassFor(url))({ connectionString: url });
  await client.connect();
  return runOn(client, work);
}

async function runOn<T>(client: pg.Client, work: (db: Queryable) => Promise<T>): Promise<T> {
  try {
    return await work({
      query: async <Row>({ name, text }: Statement, values: readonly unknown[] = []) =>
        (await client.query({ name, text, values: [...values] })).rows as Row[],
    });
  } finally {
    await client.end();
  }
}
