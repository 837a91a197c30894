import type { KafkaLogin, KafkaTlsFiles } from '@fundrail/messaging';
import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { BadEnvironment, parseEnvironment, type Environment } from './environment.ts';
import { refuseHttpTo } from './https-only.ts';
import { isSandbox } from './sandbox-secrets.ts';
import { integerVariable, urlVariable, wholeNumber } from './variables.ts';

/** How a service reaches Kafka. */
export interface KafkaConfig {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** The prefix of topics and groups, so that several products can share one cluster. */
  readonly prefix: string;
  readonly ssl: boolean | KafkaTlsFiles;
  readonly sasl: KafkaLogin | null;
  /** Wall milliseconds after which the group considers a silent member dead. */
  readonly sessionTimeoutMs: number;
  /** The copies of the topics that `migrate` creates. */
  readonly replicationFactor: number;
}

const BROKERS_RULE = 'must be a list host:port,host:port';
// A name, an IPv4 address, or an IPv6 address in brackets; then a port.
const BROKER = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i;

const mechanism = z.enum(
  ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'],
  'must be plain, scram-sha-256, scram-sha-512 or oauthbearer',
);

const fileVariable = z.string().refine(isReadable, 'is not a readable file').optional();

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
    KAFKA_SSL_CA_FILE: fileVariable,
    KAFKA_SSL_CERT_FILE: fileVariable,
    KAFKA_SSL_KEY_FILE: fileVariable,
    KAFKA_OAUTH_TOKEN_FILE: fileVariable,
    KAFKA_OAUTH_TOKEN_URL: urlVariable.optional(),
    KAFKA_OAUTH_CLIENT_ID: z.string().optional(),
    KAFKA_OAUTH_CLIENT_SECRET: z.string().optional(),
    KAFKA_OAUTH_SCOPE: z.string().optional(),
    // A broker accepts no less by default (group.min.session.timeout.ms). With more, a rebalance that waits for a dead member would
    // take longer than the minute after which a consumer counts as stuck.
    KAFKA_SESSION_TIMEOUT_MS: integerVariable(6_000, 45_000, 10_000),
    KAFKA_REPLICATION_FACTOR: wholeNumber(1, 32_767).optional(),
  })
  .superRefine((env, context) => {
    const fault = findFault(env);
    if (fault) context.addIssue({ code: 'custom', path: [fault.name], message: fault.message });
  });

type Given = Readonly<Record<string, unknown>>;
interface Fault {
  readonly name: string;
  readonly message: string;
}

/** The first variable of TLS and SASL that does not fit the others. */
function findFault(env: Given): Fault | null {
  const isGiven = (name: string) => env[name] !== undefined;
  const mechanism = env['KAFKA_SASL_MECHANISM'];
  const isOauth = mechanism === 'oauthbearer';
  const byUrl = isGiven('KAFKA_OAUTH_TOKEN_URL');
  const rules: readonly (readonly [
    names: readonly string[],
    needs: string | null,
    useless: string | null,
  ])[] = [
    [
      ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
      mechanism !== undefined && !isOauth ? 'KAFKA_SASL_MECHANISM needs it' : null,
      isOauth
        ? 'has no effect with oauthbearer'
        : mechanism === undefined
          ? 'has no effect without KAFKA_SASL_MECHANISM'
          : null,
    ],
    [
      [
        'KAFKA_OAUTH_TOKEN_URL',
        'KAFKA_OAUTH_TOKEN_FILE',
        'KAFKA_OAUTH_CLIENT_ID',
        'KAFKA_OAUTH_CLIENT_SECRET',
        'KAFKA_OAUTH_SCOPE',
      ],
      null,
      isOauth ? null : 'has no effect without KAFKA_SASL_MECHANISM=oauthbearer',
    ],
    [
      ['KAFKA_OAUTH_TOKEN_FILE'],
      isOauth && !byUrl ? 'oauthbearer needs it, or KAFKA_OAUTH_TOKEN_URL' : null,
      byUrl ? 'has no effect beside KAFKA_OAUTH_TOKEN_URL' : null,
    ],
    [
      ['KAFKA_OAUTH_CLIENT_ID', 'KAFKA_OAUTH_CLIENT_SECRET'],
      byUrl ? 'KAFKA_OAUTH_TOKEN_URL needs it' : null,
      byUrl ? null : 'has no effect without KAFKA_OAUTH_TOKEN_URL',
    ],
    [['KAFKA_OAUTH_SCOPE'], null, byUrl ? null : 'has no effect without KAFKA_OAUTH_TOKEN_URL'],
    [
      ['KAFKA_SSL_CA_FILE', 'KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE'],
      null,
      env['KAFKA_SSL'] === 'true' ? null : 'has no effect without KAFKA_SSL=true',
    ],
    [['KAFKA_SSL_KEY_FILE'], isGiven('KAFKA_SSL_CERT_FILE') ? 'KAFKA_SSL_CERT_FILE needs it' : null, null],
    [['KAFKA_SSL_CERT_FILE'], isGiven('KAFKA_SSL_KEY_FILE') ? 'KAFKA_SSL_KEY_FILE needs it' : null, null],
  ];
  for (const [names, needs, useless] of rules)
    for (const name of names) {
      if (needs !== null && !isGiven(name)) return { name, message: needs };
      if (useless !== null && isGiven(name)) return { name, message: useless };
    }
  return null;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function loginOf(env: z.output<typeof variables>): KafkaLogin | null {
  const {
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username = '',
    KAFKA_SASL_PASSWORD: password = '',
  } = env;
  if (mechanism === undefined) return null;
  if (mechanism !== 'oauthbearer') return { mechanism, username, password };
  const {
    KAFKA_OAUTH_TOKEN_FILE: file,
    KAFKA_OAUTH_TOKEN_URL: url = '',
    KAFKA_OAUTH_SCOPE: scope = null,
  } = env;
  if (file !== undefined) return { mechanism, token: { file } };
  const { KAFKA_OAUTH_CLIENT_ID: clientId = '', KAFKA_OAUTH_CLIENT_SECRET: clientSecret = '' } = env;
  return { mechanism, token: { url, clientId, clientSecret, scope } };
}

/** These mechanisms send the secret itself; SCRAM sends a proof that is valid for one login. */
const SENDS_ITS_SECRET: ReadonlySet<string | undefined> = new Set(['plain', 'oauthbearer']);

/** Refuses a configuration that would send a password, a token or a client secret unencrypted. */
function refuseInClear(env: z.output<typeof variables>): void {
  const mechanism = env.KAFKA_SASL_MECHANISM;
  if (SENDS_ITS_SECRET.has(mechanism) && env.KAFKA_SSL !== 'true')
    throw new BadEnvironment(
      `KAFKA_SSL must be true outside the sandbox: ${mechanism ?? ''} sends its secret unprotected`,
    );
  refuseHttpTo('KAFKA_OAUTH_TOKEN_URL', env.KAFKA_OAUTH_TOKEN_URL);
}

function tlsOf(env: z.output<typeof variables>): boolean | KafkaTlsFiles {
  if (env.KAFKA_SSL !== 'true') return false;
  const {
    KAFKA_SSL_CA_FILE: ca = null,
    KAFKA_SSL_CERT_FILE: cert = null,
    KAFKA_SSL_KEY_FILE: key = null,
  } = env;
  return ca === null && cert === null ? true : { ca, cert, key };
}

/**
 * Reads `EVENT_BUS` and the `KAFKA_*` variables; null when there is no bus. Without `EVENT_BUS` the bus is Kafka when brokers are
 * given. An empty variable counts as not given. `client` is the name in the broker's logs. Outside the sandbox no secret may be sent
 * unencrypted. Throws `BadEnvironment`.
 */
export function readKafkaConfig(client: string, env: Environment): KafkaConfig | null {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { EVENT_BUS = given['KAFKA_BROKERS'] === undefined ? 'none' : 'kafka' } = parseEnvironment(
    which,
    given,
  );
  if (EVENT_BUS === 'none') return null;
  const parsed = parseEnvironment(variables, given);
  if (!isSandbox(env)) refuseInClear(parsed);
  return {
    brokers: parsed.KAFKA_BROKERS,
    clientId: `fundrail-${client}`,
    prefix: parsed.KAFKA_PREFIX,
    ssl: tlsOf(parsed),
    sasl: loginOf(parsed),
    sessionTimeoutMs: parsed.KAFKA_SESSION_TIMEOUT_MS,
    // Three copies survive the loss of a broker; the sandbox's cluster has one broker.
    replicationFactor: parsed.KAFKA_REPLICATION_FACTOR ?? (isSandbox(env) ? 1 : 3),
  };
}
