import { z } from 'zod';
import { BadEnvironment, parseEnvironment, type Environment } from './environment.ts';
import { readKitConfig } from './kit-config.ts';
import { SANDBOX_SECRETS, withSecrets } from './sandbox-secrets.ts';
import { integerVariable } from './variables.ts';

const KEY = 'a data encryption key of this spec';

const own = {
  SERVICE_TOKEN_SECRET: 'a service token secret of this spec',
  DATA_ENCRYPTION_KEY: KEY,
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

  it('finds the database of a renamed service where the release before has it (decision 0053)', () => {
    const { databaseUrl } = readKitConfig(
      'plans',
      withSecrets({ SANDBOX: 'true', DATABASE_URL: 'postgres://h:1' }),
    );
    expect(databaseUrl).toBe('postgres://h:1/fundrail_swp');
  });

  it("uses the service's own database URL unchanged (OPS-7)", () => {
    expect(read({ ...own, ORDERS_DATABASE_URL: 'postgres://other/x' }).databaseUrl).toBe(
      'postgres://other/x',
    );
  });

  it('collects the URLs of the other services', () => {
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
    [
      { SERVICE_TOKEN_SECRET: 'a'.repeat(64) },
      'SERVICE_TOKEN_SECRET must have at least 8 different characters',
    ],
    [
      { SERVICE_TOKEN_SECRET: 'changeme'.repeat(5) },
      'SERVICE_TOKEN_SECRET must have at least 8 different characters',
    ],
    [
      { DATA_ENCRYPTION_KEY: `${KEY},${'ab'.repeat(20)}` },
      'DATA_ENCRYPTION_KEY must have at least 8 different characters in each of its secrets',
    ],
    [{ DATA_ENCRYPTION_FORMAT: 'v3' }, 'DATA_ENCRYPTION_FORMAT must be v2, v2-only, v1'],
    ...['https://pay.example?x', 'https://pay.example/#', 'https://u:p@pay.example'].map(
      (PUBLIC_BASE_URL) =>
        [
          { PUBLIC_BASE_URL },
          'PUBLIC_BASE_URL must be an address without a query, a fragment and credentials',
        ] as [Environment, string],
    ),
    [
      { PUBLIC_BASE_URL: 'http://pay.example' },
      'PUBLIC_BASE_URL must start with https:// outside the sandbox',
    ],
    [
      { PUBLIC_BASE_URL: 'http://127.0.0.1:3000' },
      'PUBLIC_BASE_URL must start with https:// outside the sandbox',
    ],
    ...(['GATEWAYPOA_BASE_URL', 'SDKVENDOR_BASE_URL'] as const).map(
      (name) =>
        [
          { [name]: 'http://provider.example' },
          `${name} must start with https:// outside the sandbox, unless it is this machine`,
        ] as [Environment, string],
    ),
    [{ DATA_ENCRYPTION_KEY: 'short' }, 'DATA_ENCRYPTION_KEY must have at least 32 characters'],
    [
      { DATA_ENCRYPTION_KEY: `${KEY},short-but-long-together` },
      'DATA_ENCRYPTION_KEY must have at least 32 characters in each of its comma-separated secrets',
    ],
    [
      { DATA_ENCRYPTION_KEY: `${KEY},` },
      'DATA_ENCRYPTION_KEY must have at least 32 characters in each of its comma-separated secrets',
    ],
    [
      { DATA_ENCRYPTION_KEY: `${KEY}, ${SANDBOX_SECRETS.DATA_ENCRYPTION_KEY}` },
      "DATA_ENCRYPTION_KEY is the sandbox's public default: give a secret of your own",
    ],
    [{ DATABASE_URL: undefined }, 'DATABASE_URL must be the address of a PostgreSQL server (postgres://…)'],
  ])('names a wrong variable in one line: %j', (wrong, message) => {
    expect(messageOf(() => read({ ...own, ...wrong }))).toBe(message);
  });

  it.each(Object.entries(SANDBOX_SECRETS).filter(([name]) => name !== 'ADMIN_CLIENT_ID'))(
    "refuses the sandbox's %s elsewhere (OPS-6)",
    (name, value) => {
      expect(messageOf(() => read({ ...own, [name]: value }))).toContain(name);
    },
  );

  it.each<Environment>([
    { PUBLIC_BASE_URL: 'https://pay.example/base' },
    { GATEWAYPOA_BASE_URL: 'https://gateway.example', SDKVENDOR_BASE_URL: 'http://127.0.0.1:9' },
    { SANDBOX: 'true', PUBLIC_BASE_URL: 'http://pay.example', GATEWAYPOA_BASE_URL: 'http://gateway.example' },
  ])('accepts %j', (given) => {
    expect(messageOf(() => read({ ...own, ...given }))).toBe('');
  });

  it('never shows the value of a variable', () => {
    const schema = z.object({ SECRET: z.string().min(50), N: integerVariable(1, 2, 1) });
    expect(messageOf(() => parseEnvironment(schema, { SECRET: 'hunter2' }))).not.toContain('hunter2');
  });
});
