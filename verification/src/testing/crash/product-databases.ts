import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { definitions } from '@fundrail/standalone';
import { createDatabase, testServerUrl } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** PostgreSQL servers that one service has to itself. */
export type OwnServers = Readonly<Partial<Record<ServiceName, string>>>;

/** Ends the leases of a dead process. The next process cannot distinguish that from their expiry. */
const END_LEASES =
  'UPDATE due_work SET leased_until = clock_timestamp() WHERE leased_until > clock_timestamp()';
const END_HOLDS = 'UPDATE idempotency_keys SET held_until = clock_timestamp() WHERE status IS NULL';
const END_DELIVERY_LEASES =
  'UPDATE webhook_deliveries SET leased_until = clock_timestamp() WHERE leased_until > clock_timestamp()';

/** Read access to a product's databases: all that an audit needs. */
export type DatabaseView = Pick<ProductDatabases, 'rows' | 'everywhere'>;

/** One product's databases, for its processes and for a test that reads them. */
export class ProductDatabases {
  private readonly pools: ReadonlyMap<ServiceName, pg.Pool>;

  private constructor(
    private readonly serverUrl: string,
    private readonly databaseUrls: ReadonlyMap<ServiceName, string>,
    private readonly ownServers: OwnServers,
  ) {
    this.pools = new Map([...databaseUrls].map(([name, url]) => [name, poolOf(url)]));
  }

  /**
   * Unused names on that PostgreSQL server, or for some services on their own servers. `create` creates the databases.
   */
  static on(serverUrl: string, ownServers: OwnServers = {}): ProductDatabases {
    const own = `t_${randomUUID().replaceAll('-', '')}`;
    const urlOf = (name: ServiceName) =>
      Object.assign(new URL(ownServers[name] ?? serverUrl), { pathname: `/${own}_${name}` }).href;
    return new ProductDatabases(serverUrl, new Map(SERVICES.map((name) => [name, urlOf(name)])), ownServers);
  }

  /** Migrated ones on the server of the test run. */
  static async onTestServer(): Promise<ProductDatabases> {
    const databases = ProductDatabases.on(testServerUrl());
    await databases.create();
    return databases;
  }

  /** Creates them, migrated. */
  async create(): Promise<void> {
    const urlOf = (name: ServiceName) => this.databaseUrls.get(name) ?? '';
    await Promise.all(definitions(true).map((service) => createDatabase(urlOf(service.name), service)));
  }

  /** The variables that name them for the services. */
  get urls(): Record<string, string> {
    const own = [...this.databaseUrls].map(([name, url]) => [`${name.toUpperCase()}_DATABASE_URL`, url]);
    return Object.fromEntries(own) as Record<string, string>;
  }

  /** The variables that name them for the standalone. */
  get env(): Record<string, string> {
    return { DATABASE_URL: this.serverUrl, ...this.urls };
  }

  async rows<T>(service: ServiceName, text: string, values: unknown[] = []): Promise<T[]> {
    const pool = this.pools.get(service);
    if (!pool) throw new Error(`${service} has no database`);
    return (await pool.query(text, values)).rows as T[];
  }

  /** Runs the same query in each of them. */
  async everywhere<T>(
    text: string,
    values: unknown[] = [],
  ): Promise<(T & { readonly service: ServiceName })[]> {
    const inOne = async (service: ServiceName) =>
      (await this.rows<T>(service, text, values)).map((row) => ({ ...row, service }));
    return (await Promise.all(SERVICES.map(inOne))).flat();
  }

  /** Ends the time after which others may take over the leases of a dead process. */
  async endLeases(): Promise<void> {
    await this.everywhere(END_LEASES);
    await this.everywhere(END_HOLDS);
    await this.rows('webhooks', END_DELIVERY_LEASES);
  }

  /** Ends all connections, and removes the databases. */
  async drop(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
    const byServer = Map.groupBy(this.databaseUrls, ([name]) => this.ownServers[name] ?? this.serverUrl);
    for (const [server, databases] of byServer)
      await dropOn(
        server,
        databases.map(([, url]) => new URL(url).pathname.slice(1)),
      );
  }
}

async function dropOn(server: string, names: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** A connection may still be closing when its database is dropped: that is not a failure of the test. */
function poolOf(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max: 2 }).on('error', () => undefined);
}
