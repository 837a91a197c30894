import { migrate, type ServiceDefinition } from '@fundrail/service-kit/db';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database for one spec file. */
export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Ends the connections that are left, and drops the database. */
  drop(): Promise<void>;
}

type Migrated = Pick<ServiceDefinition, 'name' | 'migrations'>;

/** Creates a database on the run's server (`DATABASE_URL`), as `createDatabase` does. Call in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(service?: Migrated): Promise<TestDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const server = testServerUrl();
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  await createDatabase(url, service);
  const drop = () =>
    onServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { name, url, drop };
}

/** Creates the database that the URL names: empty, or migrated as this service's, a copy of one that is migrated once for each run (files, at half the cost of the default). */
export async function createDatabase(url: string, service?: Migrated): Promise<void> {
  await onServer(url, async (client) => {
    const template = service ? `${await templateOf(service, url, client)} STRATEGY FILE_COPY` : 'template1';
    await client.query(`CREATE DATABASE ${new URL(url).pathname.slice(1)} TEMPLATE ${template}`);
  });
}

/** The PostgreSQL server of the test run. Throws where there is none. */
export function testServerUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (!url)
    throw new Error('DATABASE_URL is not set: integration tests run in the jest projects int and e2e');
  return url;
}

/** The name of the service's migrated database on that server. The first one who asks creates it; others wait. */
async function templateOf({ name, migrations }: Migrated, url: string, client: pg.Client): Promise<string> {
  const text = migrations.map((one) => `${one.name} ${String(one)} ${JSON.stringify(new one())}`).join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const template = `template_${process.env['TEST_RUN'] ?? process.pid}_${name}_${hash}`;
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  if (rowCount === 0) {
    const { href } = Object.assign(new URL(url), { pathname: `/${template}_new` });
    await client.query(`DROP DATABASE IF EXISTS ${template}_new`);
    await migrate({ name, migrations }, href);
    await client.query(`ALTER DATABASE ${template}_new RENAME TO ${template}`);
  }
  await client.query('SELECT pg_advisory_unlock_all()');
  return template;
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const { href } = Object.assign(new URL(url), { pathname: '/postgres' });
  const client = new pg.Client({ connectionString: href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
