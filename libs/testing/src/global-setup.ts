import { findTestServer, type TestServer } from './test-server.ts';

declare global {
  /** The run's server, kept here because Jest loads set-up and teardown as separate modules of one process. */
  var fundrailTestServer: Promise<TestServer> | undefined;
}

/** One PostgreSQL for the whole run: the second project that asks gets the first one's. Its URL goes to `DATABASE_URL`. */
export default async function globalSetup(): Promise<void> {
  globalThis.fundrailTestServer ??= findTestServer();
  const server = await globalThis.fundrailTestServer;
  process.env['DATABASE_URL'] = server.url;
}
