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
const brokers = { KAFKA_BROKERS: 'one:9092, [::1]:9093' };

describe("a service's way to Kafka", () => {
  it('is there where brokers are given, with a default for all else', () => {
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

  it('takes one copy of each topic for enough in the sandbox', () => {
    expect(readKafkaConfig('orders', { ...brokers, SANDBOX: 'true' })?.replicationFactor).toBe(1);
  });

  it.each<Environment>([{}, { KAFKA_BROKERS: '' }, { ...brokers, EVENT_BUS: 'none' }])(
    'is not there with %j',
    (env) => {
      expect(readKafkaConfig('orders', env)).toBeNull();
    },
  );

  it('carries the credentials', () => {
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
      'KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512',
    ],
    [
      { ...brokers, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' },
      'KAFKA_SASL_PASSWORD is required: KAFKA_SASL_MECHANISM needs it',
    ],
    [
      { ...brokers, KAFKA_SASL_USERNAME: 'u' },
      'KAFKA_SASL_USERNAME is of no use without KAFKA_SASL_MECHANISM',
    ],
    [
      { ...brokers, KAFKA_SESSION_TIMEOUT_MS: '5' },
      'KAFKA_SESSION_TIMEOUT_MS must be a whole number from 6000 to 45000',
    ],
  ])('names a wrong variable in one line: %j', (env, message) => {
    expect(messageOf(() => readKafkaConfig('orders', env))).toBe(message);
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
  ])('says of %j what a start would say', (env, message) => {
    expect(messageOf(() => checkEnvironment(service, env))).toBe(message);
  });
});
