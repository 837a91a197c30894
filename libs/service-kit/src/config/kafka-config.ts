import { z } from 'zod';
import { parseEnvironment, type Environment } from './environment.ts';
import { isSandbox } from './sandbox-secrets.ts';
import { integerVariable, wholeNumber } from './variables.ts';

/** How a service reaches Kafka. */
export interface KafkaConfig {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Before the names of topics and groups, so that several products share one cluster. */
  readonly prefix: string;
  readonly ssl: boolean;
  readonly sasl: {
    readonly mechanism: z.output<typeof mechanism>;
    readonly username: string;
    readonly password: string;
  } | null;
  /** Wall milliseconds after which the group takes a silent member for dead. */
  readonly sessionTimeoutMs: number;
  /** Of the topics that `migrate` makes. */
  readonly replicationFactor: number;
}

const BROKERS_RULE = 'must be a list host:port,host:port';
// A name, an IPv4 address, or an IPv6 address in brackets; then a port.
const BROKER = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i;

const mechanism = z.enum(
  ['plain', 'scram-sha-256', 'scram-sha-512'],
  'must be plain, scram-sha-256 or scram-sha-512',
);

const which = z.object({ EVENT_BUS: z.enum(['kafka', 'none'], 'must be kafka or none').optional() });

const brokersVariable = z
  .string('give the brokers as host:port,host:port')
  .transform((text) => text.split(',').map((broker) => broker.trim()))
  .refine((brokers) => brokers.every((broker) => BROKER.test(broker)), BROKERS_RULE);

const variables = z
  .object({
    KAFKA_BROKERS: brokersVariable,
    KAFKA_PREFIX: z
      .string()
      .regex(/^[\w.-]{0,100}$/, 'must be at most 100 letters, digits, ".", "_" and "-"')
      .default(''),
    KAFKA_SSL: z.enum(['true', 'false'], 'must be true or false').default('false'),
    KAFKA_SASL_MECHANISM: mechanism.optional(),
    KAFKA_SASL_USERNAME: z.string().optional(),
    KAFKA_SASL_PASSWORD: z.string().optional(),
    // A broker as it comes takes no less (group.min.session.timeout.ms). More, and a rebalance that waits for a dead member would
    // take longer than the minute after which a consumer counts as stuck.
    KAFKA_SESSION_TIMEOUT_MS: integerVariable(6_000, 45_000, 10_000),
    KAFKA_REPLICATION_FACTOR: wholeNumber(1, 32_767).optional(),
  })
  .superRefine((env, context) => {
    const asked = env.KAFKA_SASL_MECHANISM !== undefined;
    for (const name of ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const) {
      const message = asked ? 'KAFKA_SASL_MECHANISM needs it' : 'is of no use without KAFKA_SASL_MECHANISM';
      if ((env[name] !== undefined) !== asked) context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/**
 * Reads `EVENT_BUS` and the `KAFKA_*` variables; null when there is no bus. Without `EVENT_BUS` it is Kafka where brokers are
 * given. An empty variable counts as not given. `client` is the name in the broker's logs. Throws `BadEnvironment`.
 */
export function readKafkaConfig(client: string, env: Environment): KafkaConfig | null {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { EVENT_BUS = given['KAFKA_BROKERS'] === undefined ? 'none' : 'kafka' } = parseEnvironment(
    which,
    given,
  );
  if (EVENT_BUS === 'none') return null;
  const parsed = parseEnvironment(variables, given);
  const { KAFKA_SASL_USERNAME: username = '', KAFKA_SASL_PASSWORD: password = '' } = parsed;
  return {
    brokers: parsed.KAFKA_BROKERS,
    clientId: `fundrail-${client}`,
    prefix: parsed.KAFKA_PREFIX,
    ssl: parsed.KAFKA_SSL === 'true',
    sasl: parsed.KAFKA_SASL_MECHANISM ? { mechanism: parsed.KAFKA_SASL_MECHANISM, username, password } : null,
    sessionTimeoutMs: parsed.KAFKA_SESSION_TIMEOUT_MS,
    // Three copies outlive the loss of a broker; the sandbox's cluster has one broker.
    replicationFactor: parsed.KAFKA_REPLICATION_FACTOR ?? (isSandbox(env) ? 1 : 3),
  };
}
