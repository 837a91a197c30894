import {
  PRODUCT_SERVICES,
  providerUrlVariable,
  SERVICES,
  SIMULATED_PROVIDERS,
  type ServiceName,
} from '@fundrail/contracts';
import { createTopics, InProcessBus } from '@fundrail/messaging';
import {
  bootstrap,
  checkEnvironment,
  databaseErrorOf,
  Log,
  logLibrariesTo,
  type Environment,
  type KafkaConfig,
  type RunningService,
  type ServiceDefinition,
} from '@fundrail/service-kit';
import { databaseUrlFor, migrate, missingMigrations } from '@fundrail/service-kit/db';
import type { Handler } from './edge/edge.ts';
import { InProcessTransport } from './edge/in-process-transport.ts';
import { DEFINITIONS } from './registry.ts';
import { sentenceOf } from './usage.ts';

interface ServicesOptions {
  readonly sandbox: boolean;
  /** The server on which each service has its own database. */
  readonly databaseUrl: string;
  /** Null: one bus in this process. */
  readonly kafka: KafkaConfig | null;
  /** The address of the edge for this process itself: it calls the outside systems of the sandbox over HTTP. */
  readonly localUrl: string;
  readonly publicBaseUrl: string;
  readonly env: Environment;
}

/** All services, running. */
export interface Services {
  readonly running: ReadonlyMap<ServiceName, RunningService>;
  readonly handlers: ReadonlyMap<ServiceName, Handler>;
  stop(): Promise<void>;
}

/** The services that make up the product; the simulator belongs to the sandbox. */
export function definitions(sandbox: boolean): ServiceDefinition[] {
  return (sandbox ? SERVICES : PRODUCT_SERVICES).map((name) => DEFINITIONS[name]);
}

/**
 * Migrates each database, then starts all services on one transport and one bus. Over Kafka each has its own connection, as
 * separate processes have. Resolves when all are ready.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const env = environmentOf(options);
  const parts = definitions(options.sandbox);
  // All variables are read before a topic or a database is touched; the first service with a bad one names it.
  for (const definition of parts) checkEnvironment(definition, env);
  const bus = options.kafka ? null : new InProcessBus({ groups: parts.map(({ name }) => name) });
  if (options.kafka) await makeTopics(options.kafka);
  const transport = new InProcessTransport();
  const running = new Map<ServiceName, RunningService>();
  const stop = async () => void (await Promise.all([...running.values()].map((service) => service.stop())));
  const started = async (definition: ServiceDefinition) => {
    await migrateIfNeeded(definition, databaseUrlFor(definition.name, env));
    return bootstrap(definition, { env, transport, listen: false, ...(bus && { bus }) });
  };
  const start = async (definition: ServiceDefinition) => {
    const service = await started(definition).catch((error: unknown) => {
      throw databaseErrorOf(definition.name, env, error);
    });
    running.set(definition.name, service);
    transport.add(definition.name, service.fastify);
  };
  const results = await Promise.allSettled(parts.map(start));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  await Promise.all([...running.values()].map((service) => service.ready()));
  const handlers = new Map<ServiceName, Handler>();
  for (const [name, { fastify }] of running)
    handlers.set(name, (request, response) => fastify.routing(request, response));
  return { running, handlers, stop };
}

/**
 * Most starts find databases that are up to date. One question shows that, where a migrator takes two connections, a lock and TypeORM's
 * own questions, eight times in a start. Any error is the migrator's to report.
 */
async function migrateIfNeeded(definition: ServiceDefinition, url: string): Promise<void> {
  const missing = await missingMigrations(definition, url).catch(() => null);
  if (missing?.length !== 0) await migrate(definition, url);
}

/** A start takes a few seconds (OPS-3); a broker that needs longer counts as down. */
const BROKER_LIMIT_MS = 15_000;

async function makeTopics(kafka: KafkaConfig): Promise<void> {
  logLibrariesTo(Log.to('standalone', 'error'));
  const { replicationFactor, brokers } = kafka;
  try {
    await createTopics(kafka, { replicationFactor, limitMs: BROKER_LIMIT_MS });
  } catch (error) {
    throw new Error(`KAFKA_BROKERS ${brokers.join(',')} does not answer: ${sentenceOf(error)}`, {
      cause: error,
    });
  }
}

function simulated(url: string): Environment {
  const bases = SIMULATED_PROVIDERS.map(({ provider, path }) => [
    providerUrlVariable(provider),
    `${url}${path}`,
  ]);
  return Object.fromEntries(bases) as Environment;
}

/** The variables of each service. Its own (`ORDERS_DATABASE_URL`, secrets, …) pass through. */
function environmentOf(options: ServicesOptions): Environment {
  return {
    LOG_LEVEL: 'warn',
    // All of its services are of one release.
    PURCHASE_PLANS: 'true',
    // In the sandbox the simulator plays the gateway and the providers.
    ...(options.sandbox && { ...simulated(options.localUrl), CALLBACK_BASE_URL: options.localUrl }),
    ...options.env,
    DATABASE_URL: options.databaseUrl,
    SANDBOX: String(options.sandbox),
    PUBLIC_BASE_URL: options.publicBaseUrl,
    // A bus in this process is passed to the services; over Kafka each service creates its own.
    EVENT_BUS: options.kafka ? 'kafka' : 'none',
    // The edge reports their health.
    OPS_PORT: undefined,
  };
}
