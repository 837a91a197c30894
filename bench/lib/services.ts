import {
  PROVIDER_IDS,
  providerUrlVariable,
  SERVICES,
  urlVariableOf,
  type ServiceName,
} from '@fundrail/contracts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, type Processes } from './processes.ts';

/** Where each started service listens. */
export type ServiceUrls = Readonly<Record<ServiceName, string>>;

type Variables = Readonly<Record<string, string>>;

const START_LIMIT_MS = 60_000;
/** A start keeps one processor busy. */
const AT_ONCE = 2;

/**
 * Starts services as they are deployed: migrated, each a process of its own, ready. With `KAFKA_BROKERS` among the variables
 * or in our own environment they talk over Kafka; otherwise their events wait in the outboxes. `known`: where they and their
 * neighbours are to listen.
 */
export async function startServices(
  names: readonly ServiceName[],
  processes: Processes,
  variables: Variables,
  known?: ServiceUrls,
): Promise<ServiceUrls> {
  const urls = known ?? (await addresses());
  const env = { ...common(urls), ...variables };
  const left = [...names];
  const lane = async () => {
    for (let name = left.shift(); name; name = left.shift()) {
      const main = `apps/${name}/dist/main.js`;
      await migrate(main, env);
      await processes.start(main, { ...env, PORT: new URL(urls[name]).port }, `${urls[name]}/health/live`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await Promise.all(names.map((name) => untilReady(urls[name])));
  return urls;
}

/** The same, with a new address for one service: a replica of it. */
export async function withAnother(urls: ServiceUrls, name: ServiceName): Promise<ServiceUrls> {
  return { ...urls, [name]: `http://127.0.0.1:${await freePort()}` };
}

async function addresses(): Promise<ServiceUrls> {
  const entries = SERVICES.map(async (name) => [name, `http://127.0.0.1:${await freePort()}`] as const);
  return Object.fromEntries(await Promise.all(entries)) as ServiceUrls;
}

function common(urls: ServiceUrls): Variables {
  return {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    // The benchmarks measure capacity, not a tenant's limits; `limits` switches them on.
    RATE_LIMITS: 'off',
    ...Object.fromEntries(SERVICES.map((name) => [urlVariableOf(name), urls[name]])),
    PUBLIC_BASE_URL: urls.payments,
    // No server is there: no measured step calls the gateway or a provider.
    ...Object.fromEntries(PROVIDER_IDS.map((id) => [providerUrlVariable(id), 'http://127.0.0.1:9'])),
    // A shared cluster keeps the runs apart.
    KAFKA_PREFIX: `bench-${randomBytes(4).toString('hex')}.`,
    KAFKA_REPLICATION_FACTOR: '1',
  };
}

/** Migrates the database of a service that is not started. */
export function migrateService(name: ServiceName, env: Variables): Promise<void> {
  return migrate(`apps/${name}/dist/main.js`, env);
}

async function migrate(main: string, env: Variables): Promise<void> {
  const child = spawn(process.execPath, [main, 'migrate'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${main} could not migrate`);
}

async function untilReady(url: string): Promise<void> {
  const end = performance.now() + START_LIMIT_MS;
  while (performance.now() < end) {
    const { ok } = await fetch(`${url}/health/ready`);
    if (ok) return;
    await pause(100);
  }
  throw new Error(`${url} is not ready after ${START_LIMIT_MS} ms`);
}
