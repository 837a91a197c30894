import {
  BadEnvironment,
  baseUrlVariable,
  parseEnvironment,
  readKafkaConfig,
  type Environment,
  type KafkaConfig,
} from '@fundrail/service-kit';
import { resolve } from 'node:path';
import { z } from 'zod';

/** The settings of `npm start`, read from its variables (OPS-2). */
export interface StandaloneConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absolute. Holds the embedded database; not used when `databaseUrl` is given. */
  readonly dataDir: string;
  /** A PostgreSQL server in place of the embedded one. */
  readonly databaseUrl: string | null;
  /** Kafka in place of the bus in this process. */
  readonly kafka: KafkaConfig | null;
  readonly sandbox: boolean;
  /** The start of every link to the product, without a slash at the end; null: the address where it listens. */
  readonly publicBaseUrl: string | null;
}

const PORT_RULE = 'must be a port number, 0 to 65535';

const schema = z.object({
  HOST: z.string().min(1, 'must be a host name or address').default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, PORT_RULE)
    .default('3000')
    .transform(Number)
    .refine((port) => port <= 65_535, PORT_RULE),
  DATA_DIR: z.string().min(1, 'must be the path of a folder').default('.fundrail'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL of a server' })
    .optional(),
  EVENT_BUS: z.enum(['memory', 'kafka'], 'must be memory or kafka').default('memory'),
  SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('true'),
  PUBLIC_BASE_URL: baseUrlVariable.optional(),
});

/** Throws `BadEnvironment` on a bad value: one line that names the variable. An empty variable counts as not set. */
export function readConfig(env: Environment): StandaloneConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const values = parseEnvironment(schema, given);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    kafka:
      values.EVENT_BUS === 'kafka'
        ? readKafkaConfig('standalone', { ...given, SANDBOX: values.SANDBOX })
        : null,
    sandbox: values.SANDBOX === 'true',
    publicBaseUrl: values.PUBLIC_BASE_URL?.replace(/\/+$/, '') ?? null,
  };
}

export { BadEnvironment };
