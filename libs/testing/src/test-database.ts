import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database for one spec file. */
export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Ends the connections that are left, and drops the database. */
  drop(): Promise<void>;
}

/** Creates an empty database on the run's server (`DATABASE_URL`). Call in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** The PostgreSQL server of the test run. Throws where there is none. */
export function testServerUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (!url)
    throw new Error('DATABASE_URL is not set: integration tests run in the jest projects int and e2e');
  return url;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
