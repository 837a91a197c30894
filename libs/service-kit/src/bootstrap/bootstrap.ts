import type { EventBus, OutboxRelay } from '@fundrail/messaging';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/environment.ts';
import { readKitConfig } from '../config/kit-config.ts';
import { applyPolicyOverrides, hasExpired } from '../config/policy-overrides.ts';
import { listenErrorOf } from '../config/start-errors.ts';
import { withSecrets } from '../config/sandbox-secrets.ts';
import { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import type { DueWorker } from '../due/due-worker.ts';
import { addDueProviders } from '../due/find-due-handlers.ts';
import { OpsServer } from '../health/ops-server.ts';
import type { Health } from '../health/health.ts';
import type { ServiceTransport } from '../http/client/service-transport.ts';
import { refuseAsUpstream, translateForUpstream } from '../http/compatibility.hook.ts';
import { boundInFlight } from '../http/bounds/in-flight.ts';
import { ErrorFilter } from '../http/errors/error.filter.ts';
import type { KnownRoutes } from '../http/known-routes.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { refuseUnreadInput } from '../http/unread-input.ts';
import { checkStoredKeys } from '../keys/check-stored-keys.ts';
import { HASHING_COLUMN } from '../keys/encrypted-column.ts';
import { Log } from '../logging/log.ts';
import { NestLog } from '../logging/nest-log.ts';
import { logRequests } from '../logging/request-lines.ts';
import { measureRequests } from '../metrics/request-metrics.ts';
import { measureUseCases } from '../metrics/use-case-metrics.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { addReconciliation } from '../reconciliation/add-reconciliation.ts';
import { claimDatabase } from '../sandbox/database-use.ts';
import { claimOverrides } from '../sandbox/override-issue.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { safeHeaders } from '../http/bounds/safe-headers.ts';
import { makeHttpServer, closeConnectionsWhen } from './http-server.ts';
import { instancesIn, providersIn } from './instances.ts';
import { addHousekeeping } from './housekeeping.ts';
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
  /** Replaces the bus that the variables name. Null: events wait in the outbox, and nothing is consumed. The caller closes a bus that it gives. */
  readonly bus: EventBus | null;
  /** Null (the default): HTTP to the `*_URL`s of the other services. The caller closes a transport that it gives. */
  readonly transport: ServiceTransport | null;
  /** Whether to listen on `HOST` and `PORT` (default true). When false, requests come through `fastify.routing` or `inject`. */
  readonly listen: boolean;
  /** The wall clock. */
  readonly clock: Clock;
  /** Replaces the log on standard output. */
  readonly log: Log;
}

/** A service that runs. */
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
  /** The address of `OPS_PORT`; null without one. */
  readonly opsUrl: string | null;
  /** Resolves when `/health/ready` answers 200, which needs a joined bus. Never resolves when the service is stopped before that. */
  ready(): Promise<void>;
  /** Takes no more requests, finishes what runs, and closes everything. A second call returns the same promise. */
  stop(): Promise<void>;
}

/**
 * Starts a service on a database whose migrations have run: HTTP, consumers, relay and due worker. Rejects with
 * `BadEnvironment` on a wrong variable, and closes everything that it has opened.
 */
export async function bootstrap(
  definition: ServiceDefinition,
  runtime: Partial<Runtime> = {},
): Promise<RunningService> {
  const env = withSecrets(runtime.env ?? process.env);
  const config = readKitConfig(definition.name, env);
  // Before the service's variables, which are checked by the policies (POL-5).
  const document = applyPolicyOverrides(env);
  // The service's module reads its variables again; here a bad one ends the start before anything is opened or Nest logs a stack.
  definition.config?.useFactory(env);
  const log = runtime.log ?? Log.to(definition.name, config.LOG_LEVEL);
  for (const override of document?.overrides ?? [])
    log.warn(
      hasExpired(override) ? 'an override of a policy has expired' : 'a policy is overridden',
      override,
    );
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
    await claimDatabase(parts.database, definition, config.sandbox ? 'sandbox' : 'production');
    if (document) await claimOverrides(parts.database, document.issued_at, new Date());
    await checkStoredKeys(parts.database, [...(definition.encrypted ?? []), HASHING_COLUMN], parts.cipher);
    await parts.formatWatch.start();
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

/** Opened before anything that takes time, so that probes can watch the start. */
async function openOps(parts: KitParts): Promise<OpsServer | null> {
  const { HOST: host, OPS_PORT: port } = parts.config;
  if (port === undefined) return null;
  try {
    return await OpsServer.listen(parts, host, port);
  } catch (error) {
    throw listenErrorOf(error, { host, port, variable: 'OPS_PORT' });
  }
}

/** Holds the kit and the service's own module. */
class RootModule {}

/** The order matters: the caller is known before the idempotency key is looked up, and the key ends before the request is logged. */
function addHooks({ config, fastify, doorkeeper, idempotency, health, metrics, log }: KitParts): void {
  boundInFlight(fastify, config.REQUESTS_IN_FLIGHT);
  closeConnectionsWhen(fastify, () => health.phase === 'stopping');
  doorkeeper.guard(fastify);
  translateForUpstream(fastify);
  idempotency.watch(fastify);
  refuseAsUpstream(fastify);
  refuseUnreadInput(fastify);
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

/** Consumers start after `onModuleInit` of all modules and after the routes can answer. */
async function startWork(app: NestFastifyApplication, parts: KitParts): Promise<void> {
  await app.startAllMicroservices();
  // The consumed event types are known from here on.
  addHousekeeping(parts);
  addReconciliation(parts, app.get(ModulesContainer));
  parts.relay?.start();
  parts.dueWorker.start();
  parts.health.phase = 'started';
}

async function listen(app: NestFastifyApplication, { config }: KitParts): Promise<string> {
  const { HOST: host, PORT: port } = config;
  try {
    await app.listen(port, host);
  } catch (error) {
    throw listenErrorOf(error, { host, port, variable: 'PORT' });
  }
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
