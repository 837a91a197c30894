import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from '../wait-for.ts';
import { dataFolder } from './data-folder.ts';
import { dockerAnswers } from './docker-engine.ts';
import { fixedPort } from './fixed-port.ts';
import { OwnEmbeddedPostgres } from './own-embedded-postgres.ts';
import { ownContainer, type OwnPostgres } from './own-server.ts';
import { MOST_CONNECTIONS, POSTGRES_IMAGE } from './postgres.ts';

const START_LIMIT_MS = 60_000;
/** Committed data must survive a `kill`, but not a power cut. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', `max_connections=${MOST_CONNECTIONS}`];

/**
 * Starts a PostgreSQL for this suite, without databases: in a container when a Docker engine answers, else from the
 * binaries of npm. Call `remove` in `afterAll`.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  if (await dockerAnswers()) return inContainer();
  return OwnEmbeddedPostgres.start(await mkdtemp(join(await dataFolder(), 'fundrail-postgres-')));
}

async function inContainer(): Promise<OwnPostgres> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const [host, port] = [(await getContainerRuntimeClient()).info.containerRuntime.host, await fixedPort()];
  const password = randomBytes(18).toString('hex');
  const container = await new GenericContainer(POSTGRES_IMAGE)
    .withExposedPorts({ container: 5432, host: port })
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withCommand(['postgres', ...SETTINGS.flatMap((setting) => ['-c', setting])])
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const url = `postgres://postgres:${password}@${host}:${port}/postgres`;
  return { ...(await ownContainer(container, () => untilItAnswers(url))), url };
}

async function untilItAnswers(url: string): Promise<void> {
  const ask = async () => {
    const client = new pg.Client({ connectionString: url });
    // A server that goes down during a query also emits an error event.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SELECT 1').finally(() => client.end());
    return true;
  };
  await waitFor(ask, { limitMs: START_LIMIT_MS, everyMs: 50, what: 'PostgreSQL' });
}
