import type { Environment } from '@fundrail/service-kit';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import type { StandaloneConfig } from './config.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { Edge } from './edge/edge.ts';
import { pagesOf } from './pages/pages.ts';
import { startServices } from './services.ts';

/** Five services with a pool of 10 each, a connection for each relay, and room for `psql`. */
const MOST_CONNECTIONS = 120;

/** The whole product, running in this process. */
export interface Standalone {
  /** Where clients reach it. */
  readonly url: string;
  /** Resolves when the database server has ended by itself; the product cannot continue then. */
  readonly failed: Promise<'failed'>;
  /** Accepts no more requests, finishes the running ones, and ends the database that it started. */
  stop(): Promise<void>;
  /** Kills the database, for an exit that cannot wait. */
  kill(): void;
}

/** Starts everything, or nothing: when a part does not start, those before it are stopped and the error is thrown. */
export async function startStandalone(config: StandaloneConfig, env: Environment): Promise<Standalone> {
  await using started = new AsyncDisposableStack();
  const edge = new Edge(config.sandbox, config.publicBaseUrl);
  started.defer(() => edge.close());
  const port = await listen(edge, config);
  const database = config.databaseUrl === null ? await ownDatabase(config.dataDir, started) : null;
  const local = `http://127.0.0.1:${port}`;
  const services = await startServices({
    sandbox: config.sandbox,
    kafka: config.kafka,
    databaseUrl: database?.url ?? config.databaseUrl ?? '',
    localUrl: local,
    publicBaseUrl: config.publicBaseUrl ?? urlOf(config.host, port),
    env,
  });
  started.defer(() => services.stop());
  for (const [name, handler] of services.handlers) edge.add(name, handler);
  edge.serve(await pagesOf(services, config.publicBaseUrl ?? urlOf(config.host, port), config.sandbox));
  // Stopping runs in reverse: the edge first, so that no request reaches a stopped service.
  started.defer(() => edge.close());
  const parts = started.move();
  return {
    url: urlOf(config.host, port),
    failed: database ? database.ended.then(() => 'failed') : new Promise(() => undefined),
    stop: () => parts.disposeAsync(),
    kill: () => database?.kill(),
  };
}

async function listen(edge: Edge, { host, port }: StandaloneConfig): Promise<number> {
  try {
    return await edge.listen(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(`PORT ${port} is in use on ${host}: stop what listens there, or set PORT`, {
        cause: error,
      });
    throw new Error(`HOST ${host} and PORT ${port} cannot be listened on: ${message}`, { cause: error });
  }
}

/** A file system error is about `DATA_DIR`: nothing else is written before the services run. */
async function ownDatabase(dataDir: string, started: AsyncDisposableStack): Promise<EmbeddedPostgres> {
  try {
    return await startDatabase(dataDir, started);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined || syscall.startsWith('spawn')) throw error;
    const message = `DATA_DIR ${dataDir} must be a folder in which fundrail may write (${code} at ${syscall})`;
    throw new Error(message, { cause: error });
  }
}

async function startDatabase(dataDir: string, started: AsyncDisposableStack): Promise<EmbeddedPostgres> {
  started.defer(await lockDataDir(dataDir));
  const database = await EmbeddedPostgres.start({
    directory: dataDir,
    durable: true,
    maxConnections: MOST_CONNECTIONS,
  });
  started.defer(() => database.stop());
  return database;
}

/** An address that a client can call: "all interfaces" is not such an address. */
function urlOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
