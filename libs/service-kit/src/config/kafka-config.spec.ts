import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { checkEnvironment } from './check-environment.ts';
import { BadEnvironment, configProvider, type Environment } from './environment.ts';
import { readKafkaConfig } from './kafka-config.ts';
import { urlVariable } from './variables.ts';

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message;
    throw error;
  }
  return '';
};
const FILE = fileURLToPath(import.meta.url);
const OAUTH = { KAFKA_SASL_MECHANISM: 'oauthbearer' };
const ENDPOINT = {
  KAFKA_OAUTH_TOKEN_URL: 'https://idp.example/token',
  KAFKA_OAUTH_CLIENT_ID: 'fundrail',
  KAFKA_OAUTH_CLIENT_SECRET: 's',
};
const brokers = { KAFKA_BROKERS: 'one:9092, [::1]:9093' };

describe("a service's Kafka configuration", () => {
  it('needs only brokers, and has a default for all other variables', () => {
    expect(readKafkaConfig('orders', brokers)).toEqual({
      brokers: ['one:9092', '[::1]:9093'],
      clientId: 'fundrail-orders',
      prefix: '',
      ssl: false,
      sasl: null,
      sessionTimeoutMs: 10_000,
      replicationFactor: 3,
    });
  });

  it('keeps one copy of each topic in the sandbox', () => {
    expect(readKafkaConfig('orders', { ...brokers, SANDBOX: 'true' })?.replicationFactor).toBe(1);
  });

  it.each<Environment>([{}, { KAFKA_BROKERS: '' }, { ...brokers, EVENT_BUS: 'none' }])(
    'is null with %j',
    (env) => {
      expect(readKafkaConfig('orders', env)).toBeNull();
    },
  );

  it('reads the credentials', () => {
    const sasl = {
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'fundrail',
      KAFKA_SASL_PASSWORD: 'p',
    };
    expect(readKafkaConfig('orders', { ...brokers, ...sasl, KAFKA_SSL: 'true' })).toMatchObject({
      ssl: true,
      sasl: { mechanism: 'scram-sha-512', username: 'fundrail', password: 'p' },
    });
  });

  it.each([
    [{ KAFKA_OAUTH_TOKEN_FILE: FILE }, { file: FILE }],
    [ENDPOINT, { url: 'https://idp.example/token', clientId: 'fundrail', clientSecret: 's', scope: null }],
    [
      { ...ENDPOINT, KAFKA_OAUTH_SCOPE: 'kafka' },
      { url: 'https://idp.example/token', clientId: 'fundrail', clientSecret: 's', scope: 'kafka' },
    ],
  ])('reads the source of the OAUTHBEARER token: %j', (env, token) => {
    const { sasl } = readKafkaConfig('orders', { ...brokers, KAFKA_SSL: 'true', ...OAUTH, ...env }) ?? {};
    expect(sasl).toEqual({ mechanism: 'oauthbearer', token });
  });

  it('reads the files of TLS', () => {
    const files = { KAFKA_SSL_CA_FILE: FILE, KAFKA_SSL_CERT_FILE: FILE, KAFKA_SSL_KEY_FILE: FILE };
    const { ssl } = readKafkaConfig('orders', { ...brokers, KAFKA_SSL: 'true', ...files }) ?? {};
    expect(ssl).toEqual({ ca: FILE, cert: FILE, key: FILE });
  });

  it.each<[Environment, string]>([
    [{ EVENT_BUS: 'memory' }, 'EVENT_BUS must be kafka or none'],
    [{ EVENT_BUS: 'kafka' }, 'KAFKA_BROKERS is required: give the brokers as host:port,host:port'],
    [{ KAFKA_BROKERS: 'kafka' }, 'KAFKA_BROKERS must be a list host:port,host:port'],
    [{ KAFKA_BROKERS: 'kafka:9092,' }, 'KAFKA_BROKERS must be a list host:port,host:port'],
    [
      { ...brokers, KAFKA_PREFIX: 'a b' },
      'KAFKA_PREFIX must be at most 100 letters, digits, ".", "_" and "-"',
    ],
    [{ ...brokers, KAFKA_SSL: 'yes' }, 'KAFKA_SSL must be true or false'],
    [
      { ...brokers, KAFKA_SASL_MECHANISM: 'gssapi' },
      'KAFKA_SASL_MECHANISM must be plain, scram-sha-256, scram-sha-512 or oauthbearer',
    ],
    [
      { ...brokers, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' },
      'KAFKA_SASL_PASSWORD is required: KAFKA_SASL_MECHANISM needs it',
    ],
    [
      { ...brokers, KAFKA_SASL_USERNAME: 'u' },
      'KAFKA_SASL_USERNAME has no effect without KAFKA_SASL_MECHANISM',
    ],
    [
      { ...brokers, ...OAUTH },
      'KAFKA_OAUTH_TOKEN_FILE is required: oauthbearer needs it, or KAFKA_OAUTH_TOKEN_URL',
    ],
    [
      { ...brokers, ...OAUTH, KAFKA_OAUTH_TOKEN_FILE: '/nowhere' },
      'KAFKA_OAUTH_TOKEN_FILE is not a readable file',
    ],
    [
      { ...brokers, ...OAUTH, KAFKA_OAUTH_TOKEN_FILE: FILE, KAFKA_SASL_USERNAME: 'u' },
      'KAFKA_SASL_USERNAME has no effect with oauthbearer',
    ],
    [
      { ...brokers, ...OAUTH, ...ENDPOINT, KAFKA_OAUTH_TOKEN_FILE: FILE },
      'KAFKA_OAUTH_TOKEN_FILE has no effect beside KAFKA_OAUTH_TOKEN_URL',
    ],
    [
      { ...brokers, ...OAUTH, ...ENDPOINT, KAFKA_OAUTH_CLIENT_SECRET: '' },
      'KAFKA_OAUTH_CLIENT_SECRET is required: KAFKA_OAUTH_TOKEN_URL needs it',
    ],
    [
      { ...brokers, ...OAUTH, ...ENDPOINT, KAFKA_OAUTH_TOKEN_URL: 'idp' },
      'KAFKA_OAUTH_TOKEN_URL must be an http or https address',
    ],
    [
      { ...brokers, ...ENDPOINT },
      'KAFKA_OAUTH_TOKEN_URL has no effect without KAFKA_SASL_MECHANISM=oauthbearer',
    ],
    [
      { ...brokers, ...OAUTH, KAFKA_OAUTH_TOKEN_FILE: FILE, KAFKA_OAUTH_SCOPE: 's' },
      'KAFKA_OAUTH_SCOPE has no effect without KAFKA_OAUTH_TOKEN_URL',
    ],
    [{ ...brokers, KAFKA_SSL_CA_FILE: FILE }, 'KAFKA_SSL_CA_FILE has no effect without KAFKA_SSL=true'],
    [
      { ...brokers, KAFKA_SSL: 'true', KAFKA_SSL_CERT_FILE: FILE },
      'KAFKA_SSL_KEY_FILE is required: KAFKA_SSL_CERT_FILE needs it',
    ],
    [
      { ...brokers, KAFKA_SSL: 'true', KAFKA_SSL_KEY_FILE: FILE },
      'KAFKA_SSL_CERT_FILE is required: KAFKA_SSL_KEY_FILE needs it',
    ],
    [
      { ...brokers, KAFKA_SESSION_TIMEOUT_MS: '5' },
      'KAFKA_SESSION_TIMEOUT_MS must be a whole number from 6000 to 45000',
    ],
  ])('names a wrong variable in one line: %j', (env, message) => {
    expect(messageOf(() => readKafkaConfig('orders', env))).toBe(message);
  });

  const plain = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' };
  const inClear = (mechanism: string) =>
    `KAFKA_SSL must be true outside the sandbox: ${mechanism} sends its secret unprotected`;
  const byHttp = (url: string) => ({ KAFKA_SSL: 'true', ...OAUTH, ...ENDPOINT, KAFKA_OAUTH_TOKEN_URL: url });

  it.each<[Environment, string]>([
    [plain, inClear('plain')],
    [{ ...plain, KAFKA_SSL: 'false' }, inClear('plain')],
    [{ ...OAUTH, KAFKA_OAUTH_TOKEN_FILE: FILE }, inClear('oauthbearer')],
    [
      byHttp('http://idp.example/token'),
      'KAFKA_OAUTH_TOKEN_URL must start with https:// outside the sandbox, unless it is this machine',
    ],
    [{ ...plain, KAFKA_SSL: 'true' }, ''],
    [{ ...plain, KAFKA_SASL_MECHANISM: 'scram-sha-512' }, ''],
    [byHttp('http://127.0.0.1:8080/token'), ''],
    [{ ...plain, EVENT_BUS: 'none' }, ''],
  ])('sends no secret in clear outside the sandbox: %j', (env, message) => {
    expect(messageOf(() => readKafkaConfig('orders', { ...brokers, ...env }))).toBe(message);
    expect(messageOf(() => readKafkaConfig('orders', { ...brokers, ...env, SANDBOX: 'true' }))).toBe('');
  });
});

describe('checkEnvironment', () => {
  class Config {
    constructor(readonly url: string) {}
  }
  const config = configProvider(
    Config,
    z.object({ GATEWAY_URL: urlVariable }).transform((env) => new Config(env.GATEWAY_URL)),
  );
  const service = { name: 'orders', config } as const;
  const sandbox = { SANDBOX: 'true', DATABASE_URL: 'postgres://h:1', GATEWAY_URL: 'http://g' };

  it.each<[Environment, string]>([
    [sandbox, ''],
    [{ ...sandbox, PORT: 'x' }, 'PORT must be a whole number from 0 to 65535'],
    [
      { ...sandbox, EVENT_BUS: 'kafka' },
      'KAFKA_BROKERS is required: give the brokers as host:port,host:port',
    ],
    [{ ...sandbox, GATEWAY_URL: 'g' }, 'GATEWAY_URL must be an http or https address'],
    [
      { ...sandbox, SANDBOX: 'false' },
      'SERVICE_TOKEN_SECRET is required: give a secret of at least 32 characters',
    ],
  ])('reports for %j the line of a start', (env, message) => {
    expect(messageOf(() => checkEnvironment(service, env))).toBe(message);
  });
});
