import type { ServiceName } from '@fundrail/contracts';
import { createTopics, InProcessBus } from '@fundrail/messaging';
import {
  bootstrap,
  Log,
  logLibrariesTo,
  type Environment,
  type KafkaConfig,
  type RunningService,
  type ServiceDefinition,
} from '@fundrail/service-kit';
import { databaseUrlFor, migrate } from '@fundrail/service-kit/db';
import { identityService } from '@fundrail/identity';
import { mandatesService } from '@fundrail/mandates';
import { ordersService } from '@fundrail/orders';
import { paymentsService } from '@fundrail/payments';
import { simulatorService } from '@fundrail/simulator';
import { swpService } from '@fundrail/swp';
import { webhooksService } from '@fundrail/webhooks';
import type { Handler } from './edge/edge.ts';
import { InProcessTransport } from './edge/in-process-transport.ts';

export interface ServicesOptions {
  readonly sandbox: boolean;
  /** The server on which each service has its own database. */
  readonly databaseUrl: string;
  /** Null: one bus in this process. */
  readonly kafka: KafkaConfig | null;
  /** Where this process itself reaches the edge: outside systems of the sandbox are called over HTTP. */
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
  const real = [
    identityService,
    ordersService,
    paymentsService,
    mandatesService,
    swpService,
    webhooksService,
  ];
  return sandbox ? [...real, simulatorService] : real;
}

/**
 * Brings each database up to date, then starts each service on the one transport of the process, and on its one bus; over Kafka
 * each has a connection of its own, as separate processes have. Resolves when all are ready.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const env = environmentOf(options);
  const parts = definitions(options.sandbox);
  const bus = options.kafka ? null : new InProcessBus({ groups: parts.map(({ name }) => name) });
  if (options.kafka) await makeTopics(options.kafka);
  const transport = new InProcessTransport();
  const running = new Map<ServiceName, RunningService>();
  const stop = async () => void (await Promise.all([...running.values()].map((service) => service.stop())));
  const start = async (definition: ServiceDefinition) => {
    await migrate(definition, databaseUrlFor(definition.name, env));
    const service = await bootstrap(definition, { env, transport, listen: false, ...(bus && { bus }) });
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

/** A start takes a few seconds (contract §9); a broker that needs longer than this is not there. */
const BROKER_LIMIT_MS = 15_000;

async function makeTopics(kafka: KafkaConfig): Promise<void> {
  logLibrariesTo(Log.to('standalone', 'error'));
  const { replicationFactor, brokers } = kafka;
  try {
    await createTopics(kafka, { replicationFactor, limitMs: BROKER_LIMIT_MS });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`KAFKA_BROKERS ${brokers.join(',')} does not answer: ${reason}`, { cause: error });
  }
}

/** What each service is told. Its own variables (`ORDERS_DATABASE_URL`, secrets, …) pass through. */
function environmentOf(options: ServicesOptions): Environment {
  return {
    LOG_LEVEL: 'warn',
    GATEWAYPOA_BASE_URL: options.localUrl,
    // A sandbox has the simulator's Razorpay.
    ...(options.sandbox && { SDKVENDOR_BASE_URL: `${options.localUrl}/sdkvendor` }),
    CALLBACK_BASE_URL: options.localUrl,
    ...options.env,
    DATABASE_URL: options.databaseUrl,
    SANDBOX: String(options.sandbox),
    PUBLIC_BASE_URL: options.publicBaseUrl,
    // A bus in this process is handed over; over Kafka each service makes its own.
    EVENT_BUS: options.kafka ? 'kafka' : 'none',
    // The edge tells of their health.
    OPS_PORT: undefined,
  };
}
