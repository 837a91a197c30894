import { PROVIDER_IDS, secretsOfProvider } from '@fundrail/contracts';
import { randomBytes } from 'node:crypto';
import type { Operator } from './api.ts';

export const OPERATOR: Operator = { tenant: 'operator', id: 'bench-admin', secret: 'bench-admin-secret' };

/** What services need outside the sandbox, with secrets of this run. */
export function productionVariables(databaseUrl: string): Record<string, string> {
  const secret = () => randomBytes(32).toString('base64');
  return {
    SANDBOX: 'false',
    PUBLIC_BASE_URL: 'https://bench.invalid',
    DATABASE_URL: databaseUrl,
    // As many connections as the clients of a benchmark, as its ceiling and its baseline have.
    DATABASE_POOL_SIZE: '16',
    SERVICE_TOKEN_SECRET: secret(),
    DATA_ENCRYPTION_KEY: secret(),
    ADMIN_CLIENT_ID: OPERATOR.id,
    ADMIN_CLIENT_SECRET: OPERATOR.secret,
    ...Object.fromEntries(
      PROVIDER_IDS.flatMap((id) => Object.keys(secretsOfProvider(id))).map((key) => [key, secret()]),
    ),
  };
}
