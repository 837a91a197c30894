import { storedNameOf } from '@fundrail/contracts';
import { EventStrategy, KafkaBus, OutboxRelay, type EventBus, type Tracing } from '@fundrail/messaging';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../config/environment.ts';
import type { KitConfig } from '../config/kit-config.ts';
import { DataCipher } from '../crypto/data-cipher.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { connectAlone, openDatabase } from '../db/open-database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import { DueWorkRepository } from '../due/due-work.repository.ts';
import { DueWorker } from '../due/due-worker.ts';
import { HashingSecret } from '../hashing/hashing-secret.ts';
import { Health } from '../health/health.ts';
import { AccessTokens } from '../http/auth/access-tokens.ts';
import { tokenRulesOf } from '../http/auth/token-rules.ts';
import { Doorkeeper } from '../http/auth/auth.hook.ts';
import { JwksSource } from '../http/auth/jwks-source.ts';
import { keysAt, keysOfIdentity } from '../http/auth/read-key-set.ts';
import { OperatorAudit } from '../http/auth/operator-audit.ts';
import { ServiceTokens } from '../http/auth/service-tokens.ts';
import { HttpTransport } from '../http/client/http-transport.ts';
import { withOwnService } from '../http/client/own-service.ts';
import { PatientTransport } from '../http/client/patient-transport.ts';
import { ServiceClient } from '../http/client/service-client.ts';
import type { ServiceTransport } from '../http/client/service-transport.ts';
import { Idempotency } from '../http/idempotency/idempotency.hook.ts';
import { KeyStore } from '../http/idempotency/key-store.ts';
import { askForRates } from '../http/limits/ask-for-rates.ts';
import { RateLimits } from '../http/limits/rate-limits.ts';
import { OperatorCalls } from '../http/operator-calls.ts';
import { FormatWatch } from '../keys/format-watch.ts';
import { nameWithKeys } from '../keys/replica-keys.ts';
import type { Log } from '../logging/log.ts';
import { ServiceMetrics } from '../metrics/service-metrics.ts';

/** What the parts are created from. `fastify` has no routes yet. */
interface KitBasis {
  readonly definition: ServiceDefinition;
  readonly config: KitConfig;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined: the bus that the variables name. Null: none. */
  readonly bus: EventBus | null | undefined;
  /** Null: HTTP to the other services. */
  readonly transport: ServiceTransport | null;
  readonly fastify: FastifyInstance;
  readonly tracing: Tracing;
  /** Sends the spans that are left. */
  readonly closeTracing: () => Promise<void>;
}

/** The kit's own objects in one service. `relay` and `strategy` are null without a bus. */
export interface KitParts extends KitBasis {
  readonly bus: EventBus | null;
  readonly database: Database;
  readonly cipher: DataCipher;
  readonly formatWatch: FormatWatch;
  readonly dueWorker: DueWorker;
  readonly relay: OutboxRelay | null;
  readonly strategy: EventStrategy | null;
  readonly client: ServiceClient;
  /** Null: tenants have no rate limits. */
  readonly limits: RateLimits | null;
  readonly doorkeeper: Doorkeeper;
  readonly hashing: HashingSecret;
  readonly idempotency: Idempotency;
  readonly health: Health;
  readonly metrics: ServiceMetrics;
  /** Closes what was opened here: the bus and the connections to other services. The database stays open. */
  close(): Promise<void>;
}

/** Connects to the database and creates everything else; nothing runs yet. */
export async function makeKitParts(basis: KitBasis): Promise<KitParts> {
  const { definition, config, clock, log } = basis;
  const stored = storedNameOf(definition.name);
  const cipher = new DataCipher(config.DATA_ENCRYPTION_KEY, {
    service: stored,
    formats: config.DATA_ENCRYPTION_FORMAT,
  });
  const database = await openDatabase(definition, clock, {
    url: config.databaseUrl,
    poolSize: config.DATABASE_POOL_SIZE,
    sandbox: config.sandbox,
    applicationName: nameWithKeys(stored, cipher),
  });
  const formatWatch = new FormatWatch(database, stored, cipher, log);
  const hashing = new HashingSecret(database, cipher);
  const messaging = makeMessaging(basis, database);
  const { closeCalls, ...calls } = makeCalls(basis);
  const dueWorker = new DueWorker(database, new DueWorkRepository(database, clock), log, {
    pollMs: config.DUE_POLL_MS,
    leaseMs: config.DUE_LEASE_MS,
    concurrency: config.DUE_CONCURRENCY,
    tracing: basis.tracing,
  });
  return {
    ...basis,
    ...calls,
    ...messaging,
    database,
    cipher,
    formatWatch,
    dueWorker,
    hashing,
    idempotency: new Idempotency(new KeyStore(database, clock), cipher, hashing, log),
    health: new Health({ database, ...messaging, lagLimitMs: config.READY_LAG_LIMIT_MS }),
    metrics: new ServiceMetrics({
      ...{ service: definition.name, database, dueWorker, limits: calls.limits },
      ...messaging,
    }),
    close: async () => {
      formatWatch.stop();
      // The caller closes a bus that it has given.
      if (basis.bus === undefined) await messaging.bus?.close();
      await closeCalls();
      await basis.closeTracing();
    },
  };
}

function makeMessaging(
  { bus: given, config, definition, tracing }: KitBasis,
  database: Database,
): Pick<KitParts, 'bus' | 'relay' | 'strategy'> {
  const bus = given === undefined && config.kafka ? new KafkaBus(config.kafka) : (given ?? null);
  if (!bus) return { bus, relay: null, strategy: null };
  const storedAs = storedNameOf(definition.name);
  const connect = () => connectAlone(config.databaseUrl, `fundrail-${storedAs}-relay`);
  return {
    bus,
    relay: new OutboxRelay(database, connect, bus, { tracing }),
    strategy: new EventStrategy({
      group: definition.name,
      storedAs,
      bus,
      transactions: database,
      catchUp: (time) => database.catchUp(time),
      tracing,
    }),
  };
}

/** Calls to other services, and the check of callers. The caller closes a transport that it has given. */
function makeCalls(
  basis: KitBasis,
): Pick<KitParts, 'client' | 'limits' | 'doorkeeper'> & { closeCalls: () => Promise<void> } {
  const { definition, config, clock, fastify, tracing } = basis;
  const http = new HttpTransport(config.serviceUrls);
  const transport = basis.transport ?? withOwnService(definition.name, fastify, new PatientTransport(http));
  const serviceTokens = new ServiceTokens(definition.name, config.SERVICE_TOKEN_SECRET);
  const accessTokens = makeAccessTokens(config, transport, clock);
  const client = new ServiceClient(transport, serviceTokens, tracing);
  const limits = config.RATE_LIMITS === 'on' ? makeLimits(config, client, clock) : null;
  const audit = new OperatorAudit(new OperatorCalls(client, basis.log), basis.log);
  return {
    client,
    limits,
    doorkeeper: new Doorkeeper(accessTokens, serviceTokens, limits, audit),
    closeCalls: () => http.close(),
  };
}

function makeLimits(config: KitConfig, client: ServiceClient, clock: Clock): RateLimits {
  const ask = askForRates(client, config.RATE_LIMIT_ASK_MS);
  return new RateLimits(ask, clock, { waitMs: config.RATE_LIMIT_WAIT_MS });
}

/** Verifies with identity's keys, or with those of the OpenID provider that the variables name. */
function makeAccessTokens(config: KitConfig, transport: ServiceTransport, clock: Clock): AccessTokens {
  const url = config.ACCESS_TOKEN_JWKS_URL;
  const keys = new JwksSource(url === undefined ? keysOfIdentity(transport) : keysAt(url), clock);
  return new AccessTokens(keys, clock, tokenRulesOf(config));
}
