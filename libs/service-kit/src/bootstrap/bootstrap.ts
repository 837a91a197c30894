import type { EventBus, OutboxRelay } from '@fundrail/messaging';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/environment.ts';
import { readKitConfig } from '../config/kit-config.ts';
import { withSecrets } from '../config/sandbox-secrets.ts';
import { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import type { DueWorker } from '../due/due-worker.ts';
import { addDueProviders } from '../due/find-due-handlers.ts';
import { OpsServer } from '../health/ops-server.ts';
import type { Health } from '../health/health.ts';
import type { ServiceTransport } from '../http/client/service-transport.ts';
import { boundInFlight } from '../http/bounds/in-flight.ts';
import { ErrorFilter } from '../http/errors/error.filter.ts';
import type { KnownRoutes } from '../http/known-routes.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { refuseUnaskedInput } from '../http/unasked-input.ts';
import { checkStoredKeys } from '../keys/check-stored-keys.ts';
import { Log } from '../logging/log.ts';
import { NestLog } from '../logging/nest-log.ts';
import { logRequests } from '../logging/request-lines.ts';
import { measureRequests } from '../metrics/request-metrics.ts';
import { measureUseCases } from '../metrics/use-case-metrics.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { addReconciliation } from '../reconciliation/add-reconciliation.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { safeHeaders } from '../http/bounds/safe-headers.ts';
import { makeHttpServer, partWithClientsWhen } from './http-server.ts';
import { instancesIn, providersIn } from './instances.ts';
import { keepHouse } from './housekeeping.ts';
import { makeKitParts, type KitParts } from './kit-parts.ts';
import { KitModule } from './kit.module.ts';
import { noteWhatRoutesRead } from './note-request-parts.ts';
import { openApiDocument } from './open-api.ts';
import { postsAnswer200 } from './posts-answer-200.ts';
import { stopService } from './stop-service.ts';

/** What a service runs on. */
export interface Runtime {
  /** `process.env` when left out. */
  readonly env: Environment;
  /** In place of the one of the variables. Null: events wait in the outbox, and nothing is consumed. One that is given is closed by who gave it. */
  readonly bus: EventBus | null;
  /** Null (the default): HTTP to the neighbours' `*_URL`s. One that is given is closed by who gave it. */
  readonly transport: ServiceTransport | null;
  /** Whether to listen on `HOST` and `PORT` (true); without, requests come through `fastify.routing` or `inject`. */
  readonly listen: boolean;
  /** The wall clock. */
  readonly clock: Clock;
  /** In place of one on standard output. */
  readonly log: Log;
}

/** A service that serves. */
export interface RunningService {
  readonly app: NestFastifyApplication;
  readonly fastify: FastifyInstance;
  readonly database: Database;
  readonly dueWorker: DueWorker;
  /** Null without a bus. */
  readonly relay: OutboxRelay | null;
  readonly metrics: ServiceMetrics;
  /** Its OpenAPI 3.1 document. */
  readonly document: OpenAPIObject;
  /** Where it listens; null when it does not. */
  readonly url: string | null;
  /** Where `OPS_PORT` is; null without one. */
  readonly opsUrl: string | null;
  /** Resolves when `/health/ready` answers 200: not before the bus is joined. Never, when it is stopped before. */
  ready(): Promise<void>;
  /** Takes no more requests, finishes what runs, closes everything. Once is enough; again answers the same promise. */
  stop(): Promise<void>;
}

/**
 * Starts a service on a database whose migrations have run: HTTP, consumers, relay and due worker. Rejects with
 * `BadEnvironment` on a wrong variable; whatever was opened is closed then.
 */
export async function bootstrap(
  definition: ServiceDefinition,
  runtime: Partial<Runtime> = {},
): Promise<RunningService> {
  const env = withSecrets(runtime.env ?? process.env);
  const config = readKitConfig(definition.name, env);
  // Its module reads them again; here a bad one ends the start before anything is opened, and before Nest logs a stack.
  definition.config?.useFactory(env);
  const log = runtime.log ?? Log.to(definition.name, config.LOG_LEVEL);
  const opened = await openTracing(definition.name, config);
  const { adapter, fastify, routes } = makeHttpServer(opened.tracing, safeHeaders(config.PUBLIC_BASE_URL));
  const parts = await makeKitParts({
    definition,
    config,
    env,
    log,
    fastify,
    tracing: opened.tracing,
    closeTracing: opened.close,
    clock: runtime.clock ?? new Clock(),
    bus: runtime.bus,
    transport: runtime.transport ?? null,
  });
  let ops: OpsServer | null = null;
  try {
    await checkStoredKeys(parts.database, definition.encrypted ?? [], parts.cipher);
    ops = await openOps(parts);
    addHooks(parts);
    const root = { module: RootModule, imports: [KitModule.with(parts), definition.module] };
    const options = { logger: new NestLog(log), bodyParser: false, abortOnError: false } as const;
    const app = await NestFactory.create<NestFastifyApplication>(root, adapter, options);
    await prepare(app, parts, routes);
    const url = (runtime.listen ?? true) ? await listen(app, parts) : null;
    await startWork(app, parts);
    return running({ app, parts, routes, ops, url });
  } catch (error) {
    await Promise.allSettled([parts.dueWorker.stop(), parts.relay?.stop(), parts.close(), ops?.close()]);
    await parts.database.dataSource.destroy();
    throw error;
  }
}

/** Before anything that takes time, so that whoever watches the start is told. */
function openOps(parts: KitParts): Promise<OpsServer> | null {
  const { HOST, OPS_PORT } = parts.config;
  return OPS_PORT === undefined ? null : OpsServer.listen(parts, HOST, OPS_PORT);
}

/** Holds the kit and the service's own module. */
class RootModule {}

/** The order counts: who asks is known before the key is looked up, and the key is ended before the line is written. */
function addHooks({ config, fastify, doorkeeper, idempotency, health, metrics, log }: KitParts): void {
  boundInFlight(fastify, config.REQUESTS_IN_FLIGHT);
  partWithClientsWhen(fastify, () => health.phase === 'stopping');
  doorkeeper.guard(fastify);
  idempotency.watch(fastify);
  refuseUnaskedInput(fastify);
  logRequests(fastify, log);
  measureRequests(fastify, metrics);
}

async function prepare(app: NestFastifyApplication, parts: KitParts, routes: KnownRoutes): Promise<void> {
  const modules = app.get(ModulesContainer);
  postsAnswer200(modules);
  noteWhatRoutesRead(modules);
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalFilters(new ErrorFilter(parts.log, routes));
  if (parts.strategy) app.connectMicroservice({ strategy: parts.strategy }, { inheritAppConfig: true });
  // First, because a use case may be a handler of due work itself.
  measureUseCases(providersIn(modules), parts.metrics);
  addDueProviders(parts.dueWorker, instancesIn(modules));
  await app.init();
  await parts.fastify.ready();
}

/** Consumers begin after `onModuleInit` of all modules, and after the routes can answer (toolchain: init, ready, then start). */
async function startWork(app: NestFastifyApplication, parts: KitParts): Promise<void> {
  await app.startAllMicroservices();
  // What is consumed is known from here on.
  keepHouse(parts);
  addReconciliation(parts, app.get(ModulesContainer));
  parts.relay?.start();
  parts.dueWorker.start();
  parts.health.phase = 'started';
}

async function listen(app: NestFastifyApplication, { config }: KitParts): Promise<string> {
  await app.listen(config.PORT, config.HOST);
  return app.getUrl();
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly parts: KitParts;
  readonly routes: KnownRoutes;
  readonly ops: OpsServer | null;
  readonly url: string | null;
}

function running({ app, parts, routes, ops, url }: Running): RunningService {
  const { fastify, database, dueWorker, relay, definition, health, metrics } = parts;
  let document: OpenAPIObject | null = null;
  let stopped: Promise<void> | null = null;
  return {
    app,
    fastify,
    database,
    dueWorker,
    relay,
    metrics,
    url,
    opsUrl: ops?.url ?? null,
    ready: () => untilReady(health),
    stop: () => (stopped ??= stopService({ app, parts, ops })),
    get document() {
      return (document ??= openApiDocument(app, definition.name, routes));
    },
  };
}

const READY_POLL_MS = 25;

async function untilReady(health: Health): Promise<void> {
  while (!(await health.ready()).isOk) await pause(READY_POLL_MS);
}
