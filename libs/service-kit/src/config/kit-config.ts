import type { ServiceName } from '@fundrail/contracts';
import { z } from 'zod';
import { databaseUrlFor } from '../db/migrate.ts';
import type { ServiceUrls } from '../http/client/http-transport.ts';
import { LOG_LEVELS } from '../logging/log.ts';
import { BadEnvironment, parseEnvironment, type Environment } from './environment.ts';
import { readKafkaConfig, type KafkaConfig } from './kafka-config.ts';
import { isSandbox } from './sandbox-secrets.ts';
import { checkTokenVariables, tokenVariables } from './token-variables.ts';
import {
  dataKeysVariable,
  integerVariable,
  ratioVariable,
  secretVariable,
  urlVariable,
  wholeNumber,
} from './variables.ts';

/** Jest says so; a test that wants lines gives `LOG_LEVEL` or a log of its own. */
const QUIET_BY_DEFAULT = process.env['NODE_ENV'] === 'test';
/** A suite asks as fast as it can, in the name of one tenant; a test of the limits gives `RATE_LIMITS`. */
const LIMITED_BY_DEFAULT = process.env['NODE_ENV'] !== 'test';

const kitVariables = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes any free port, here and for `OPS_PORT`. */
  PORT: integerVariable(0, 65_535, 0),
  /** Where clients reach the product; by https, each answer tells browsers to stay there (`safeHeaders`). */
  PUBLIC_BASE_URL: urlVariable.optional(),
  /** Where `/health/…` is asked; unset: on `PORT`. */
  OPS_PORT: wholeNumber(0, 65_535).optional(),
  /** From a stop's beginning until no new connection is taken: what routes to us learns of it meanwhile. */
  DRAIN_DELAY_MS: integerVariable(0, 60_000, 0),
  /** How long the bus may be down, or the relay behind, before the service counts as unready (decision 0009). */
  READY_LAG_LIMIT_MS: integerVariable(1_000, 86_400_000, 120_000),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default(QUIET_BY_DEFAULT ? 'silent' : 'info'),
  DATABASE_POOL_SIZE: integerVariable(1, 200, 10),
  /** Requests at once; what comes on top is answered 503 at once. Ten connections work some 3000 a second. */
  REQUESTS_IN_FLIGHT: integerVariable(1, 100_000, 1_000),
  // A pool closes what was idle for 10 s, and `keys rotate` recognises a replica by its connections.
  DUE_POLL_MS: integerVariable(10, 5_000, 250),
  DUE_LEASE_MS: integerVariable(100, 600_000, 10_000),
  DUE_CONCURRENCY: integerVariable(1, 256, 16),
  /** Whether tenants are held to their `rate_limits`; a limit that stands before the edge can take its place. */
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default(LIMITED_BY_DEFAULT ? 'on' : 'off'),
  /** How long a request waits for identity's word on its limit, before this process judges it alone. */
  RATE_LIMIT_WAIT_MS: integerVariable(1, 60_000, 250),
  /** How long identity may take for that word, before this process is alone for a second. */
  RATE_LIMIT_ASK_MS: integerVariable(1, 60_000, 2_000),
  SERVICE_TOKEN_SECRET: secretVariable,
  DATA_ENCRYPTION_KEY: dataKeysVariable,
  ...tokenVariables,
  /** The collector of traces, by OTLP over HTTP; unset: no spans are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariable.optional(),
  /** The part of the traces that begin here and are recorded. */
  OTEL_TRACES_SAMPLER_ARG: ratioVariable(1),
  IDENTITY_URL: urlVariable.optional(),
  ORDERS_URL: urlVariable.optional(),
  PAYMENTS_URL: urlVariable.optional(),
  MANDATES_URL: urlVariable.optional(),
  SWP_URL: urlVariable.optional(),
  WEBHOOKS_URL: urlVariable.optional(),
  SIMULATOR_URL: urlVariable.optional(),
});

const variables = kitVariables.superRefine(checkTokenVariables);

/** What every service is told by its environment. Times are wall milliseconds. */
export interface KitConfig extends z.output<typeof variables> {
  readonly sandbox: boolean;
  readonly databaseUrl: string;
  readonly serviceUrls: ServiceUrls;
  /** Null: no bus; events wait in the outbox, and none are consumed. */
  readonly kafka: KafkaConfig | null;
}

/** Reads the kit's variables. Throws `BadEnvironment` naming the first wrong one. */
export function readKitConfig(name: ServiceName, env: Environment): KitConfig {
  const parsed = parseEnvironment(variables, env);
  const urls = {
    identity: parsed.IDENTITY_URL,
    orders: parsed.ORDERS_URL,
    payments: parsed.PAYMENTS_URL,
    mandates: parsed.MANDATES_URL,
    swp: parsed.SWP_URL,
    webhooks: parsed.WEBHOOKS_URL,
    simulator: parsed.SIMULATOR_URL,
  };
  const given = Object.entries(urls).filter(
    (entry): entry is [ServiceName, string] => entry[1] !== undefined,
  );
  return {
    ...parsed,
    sandbox: isSandbox(env),
    databaseUrl: databaseUrl(name, env),
    serviceUrls: Object.fromEntries(given),
    kafka: readKafkaConfig(name, env),
  };
}

function databaseUrl(name: ServiceName, env: Environment): string {
  try {
    return databaseUrlFor(name, env);
  } catch {
    throw new BadEnvironment('DATABASE_URL must be the address of a PostgreSQL server (postgres://…)');
  }
}
