import { SERVICES, urlVariableOf, type ServiceName, type UrlVariable } from '@fundrail/contracts';
import { z } from 'zod';
import { databaseUrlFor } from '../db/migrate.ts';
import type { ServiceUrls } from '../http/client/http-transport.ts';
import { LOG_LEVELS } from '../logging/log.ts';
import { BadEnvironment, parseEnvironment, type Environment } from './environment.ts';
import { refusePlainHttp } from './https-only.ts';
import { readKafkaConfig, type KafkaConfig } from './kafka-config.ts';
import { isSandbox } from './sandbox-secrets.ts';
import { checkTokenVariables, tokenVariables } from './token-variables.ts';
import {
  baseUrlVariable,
  dataFormatVariable,
  dataKeysVariable,
  integerVariable,
  ratioVariable,
  secretVariable,
  urlVariable,
  wholeNumber,
} from './variables.ts';

/** Tests log nothing; a test that needs log lines sets `LOG_LEVEL` or gives its own log. */
const QUIET_BY_DEFAULT = process.env['NODE_ENV'] === 'test';
/** Tests send requests as fast as they can for one tenant; a test of the limits sets `RATE_LIMITS`. */
const LIMITED_BY_DEFAULT = process.env['NODE_ENV'] !== 'test';

/** `ORDERS_URL` and so on: the address of each other service. */
const serviceUrlVariables = Object.fromEntries(
  SERVICES.map((name) => [urlVariableOf(name), urlVariable.optional()]),
) as Record<UrlVariable, z.ZodOptional<typeof urlVariable>>;

const kitVariables = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes any free port, here and for `OPS_PORT`. */
  PORT: integerVariable(0, 65_535, 0),
  /** The address of the product for clients. With https, each answer makes browsers use only https (`safeHeaders`). */
  PUBLIC_BASE_URL: baseUrlVariable.optional(),
  /** The port of `/health/…`; unset: `PORT`. */
  OPS_PORT: wholeNumber(0, 65_535).optional(),
  /** How long a stopping service still takes connections, so that load balancers notice the stop. */
  DRAIN_DELAY_MS: integerVariable(0, 60_000, 0),
  /** How long the bus may be down, or the relay behind, before the service counts as unready (decision 0009). */
  READY_LAG_LIMIT_MS: integerVariable(1_000, 86_400_000, 120_000),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default(QUIET_BY_DEFAULT ? 'silent' : 'info'),
  DATABASE_POOL_SIZE: integerVariable(1, 200, 10),
  /** Requests at the same time; further ones are answered 503 immediately. Ten connections process about 3000 requests a second. */
  REQUESTS_IN_FLIGHT: integerVariable(1, 100_000, 1_000),
  // At most 5 s: a pool closes connections that were idle for 10 s, and `keys rotate` recognises a replica by its connections.
  DUE_POLL_MS: integerVariable(10, 5_000, 250),
  DUE_LEASE_MS: integerVariable(100, 600_000, 10_000),
  DUE_CONCURRENCY: integerVariable(1, 256, 16),
  /** Whether the `rate_limits` of tenants are enforced; a limit before the edge can replace this one. */
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default(LIMITED_BY_DEFAULT ? 'on' : 'off'),
  /** How long a request waits for identity to check its limit, before this process decides alone. */
  RATE_LIMIT_WAIT_MS: integerVariable(1, 60_000, 250),
  /** How long identity may take for that check, before this process decides alone for a second. */
  RATE_LIMIT_ASK_MS: integerVariable(1, 60_000, 2_000),
  SERVICE_TOKEN_SECRET: secretVariable,
  DATA_ENCRYPTION_KEY: dataKeysVariable,
  DATA_ENCRYPTION_FORMAT: dataFormatVariable,
  ...tokenVariables,
  /** The collector of traces, by OTLP over HTTP; unset: no spans are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariable.optional(),
  /** The share of the traces starting here that is recorded. */
  OTEL_TRACES_SAMPLER_ARG: ratioVariable(1),
  ...serviceUrlVariables,
});

const variables = kitVariables.superRefine(checkTokenVariables);

/** The configuration of every service. Times are wall milliseconds. */
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
  if (!isSandbox(env)) refusePlainHttp(env);
  const given = SERVICES.flatMap((one) => {
    const url = parsed[urlVariableOf(one)];
    return url === undefined ? [] : [[one, url] as const];
  });
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
  } catch (error) {
    // An error about a variable of the password names that variable.
    if (error instanceof Error && error.message.startsWith('DATABASE_PASSWORD_'))
      throw new BadEnvironment(error.message);
    throw new BadEnvironment('DATABASE_URL must be the address of a PostgreSQL server (postgres://…)');
  }
}
