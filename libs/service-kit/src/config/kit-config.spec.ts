import { z } from 'zod';
import { BadEnvironment, parseEnvironment, type Environment } from './environment.ts';
import { readKitConfig } from './kit-config.ts';
import { SANDBOX_SECRETS, withSecrets } from './sandbox-secrets.ts';
import { integerVariable } from './variables.ts';

const own = {
  SERVICE_TOKEN_SECRET: 'a'.repeat(32),
  DATA_ENCRYPTION_KEY: 'b'.repeat(32),
  DATABASE_URL: 'postgres://h:1/postgres',
};
const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message;
    throw error;
  }
  return '';
};
const read = (env: Environment) => readKitConfig('orders', withSecrets(env));

describe('the configuration of a service', () => {
  it('has a default for everything but the database in the sandbox', () => {
    const config = read({ SANDBOX: 'true', DATABASE_URL: 'postgres://h:1' });
    expect(config).toMatchObject({
      sandbox: true,
      databaseUrl: 'postgres://h:1/fundrail_orders',
      HOST: '127.0.0.1',
      DUE_POLL_MS: 250,
      DUE_LEASE_MS: 10_000,
    });
  });

  it("takes the service's own database URL as it is", () => {
    expect(read({ ...own, ORDERS_DATABASE_URL: 'postgres://other/x' }).databaseUrl).toBe(
      'postgres://other/x',
    );
  });

  it('collects the neighbours', () => {
    expect(read({ ...own, IDENTITY_URL: 'http://identity:1' }).serviceUrls).toEqual({
      identity: 'http://identity:1',
    });
  });

  it.each([
    [{ PORT: 'x' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ SANDBOX: 'yes' }, 'SANDBOX must be true or false'],
    [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS must be on or off'],
    [
      { ACCESS_TOKEN_JWKS_URL: 'https://login.example/certs', ACCESS_TOKEN_ISSUER: 'https://login.example' },
      'ACCESS_TOKEN_AUDIENCE is required: ACCESS_TOKEN_JWKS_URL needs it',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    [{ ORDERS_URL: 'ftp://x' }, 'ORDERS_URL must be an http or https address'],
    [{ SERVICE_TOKEN_SECRET: 'short' }, 'SERVICE_TOKEN_SECRET must have at least 32 characters'],
    [
      { SERVICE_TOKEN_SECRET: undefined },
      'SERVICE_TOKEN_SECRET is required: give a secret of at least 32 characters',
    ],
    [{ DATA_ENCRYPTION_KEY: 'short' }, 'DATA_ENCRYPTION_KEY must have at least 32 characters'],
    [
      { DATA_ENCRYPTION_KEY: `${'b'.repeat(32)},short-but-long-together` },
      'DATA_ENCRYPTION_KEY must have at least 32 characters in each of its secrets, which commas separate',
    ],
    [
      { DATA_ENCRYPTION_KEY: `${'b'.repeat(32)},` },
      'DATA_ENCRYPTION_KEY must have at least 32 characters in each of its secrets, which commas separate',
    ],
    [
      { DATA_ENCRYPTION_KEY: `${'b'.repeat(32)}, ${SANDBOX_SECRETS.DATA_ENCRYPTION_KEY}` },
      "DATA_ENCRYPTION_KEY is the sandbox's public default: give a secret of your own",
    ],
    [{ DATABASE_URL: undefined }, 'DATABASE_URL must be the address of a PostgreSQL server (postgres://…)'],
  ])('names a wrong variable in one line: %j', (wrong, message) => {
    expect(messageOf(() => read({ ...own, ...wrong }))).toBe(message);
  });

  it.each(Object.entries(SANDBOX_SECRETS).filter(([name]) => name !== 'ADMIN_CLIENT_ID'))(
    "refuses the sandbox's %s elsewhere",
    (name, value) => {
      expect(messageOf(() => read({ ...own, [name]: value }))).toContain(name);
    },
  );

  it('never tells the value of a variable', () => {
    const schema = z.object({ SECRET: z.string().min(50), N: integerVariable(1, 2, 1) });
    expect(messageOf(() => parseEnvironment(schema, { SECRET: 'hunter2' }))).not.toContain('hunter2');
  });
});
