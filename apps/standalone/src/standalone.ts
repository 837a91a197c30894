import type { Environment } from '@fundrail/service-kit';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import type { StandaloneConfig } from './config.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { Edge } from './edge/edge.ts';
import { pagesOf } from './pages/pages.ts';
import { startServices } from './services.ts';

/** Five services with a pool of 10 each, their relays' own connections, and room for a look by `psql`. */
const MOST_CONNECTIONS = 120;

/** The whole product, running in this process. */
export interface Standalone {
  /** Where clients reach it. */
  readonly url: string;
  /** Resolves when the database server ended by itself, and nothing can go on. */
  readonly failed: Promise<'failed'>;
  /** Takes no more requests, finishes what runs, and ends the database that it started. */
  stop(): Promise<void>;
  /** Ends the database at once, for an exit that can wait for nothing. */
  kill(): void;
}

/** Starts everything, or nothing: when a part does not start, those before it are stopped and the error is thrown. */
export async function startStandalone(config: StandaloneConfig, env: Environment): Promise<Standalone> {
  await using started = new AsyncDisposableStack();
  const edge = new Edge(config.sandbox, config.publicBaseUrl);
  started.defer(() => edge.close());
  const port = await listen(edge, config);
  const database = config.databaseUrl === null ? await startDatabase(config.dataDir, started) : null;
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
  // Stopping goes backwards: the edge first, so that no request meets a service that has gone.
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

/** An address that a client can call: one that means "all interfaces" is none. */
function urlOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
