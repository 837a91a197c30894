import { PROVIDER_IDS, secretsOfProvider, type ProviderSecret } from '@fundrail/contracts';
import { splitSecrets } from '../crypto/data-cipher.ts';
import { BadEnvironment, type Environment } from './environment.ts';

const ofProviders = Object.assign({}, ...PROVIDER_IDS.map(secretsOfProvider)) as Record<
  ProviderSecret,
  string
>;

/**
 * The secrets of the sandbox, so that it starts without any setting. They are public: outside the sandbox the start refuses
 * every one of them (OPS-6).
 */
export const SANDBOX_SECRETS = {
  SERVICE_TOKEN_SECRET: 'sandbox-service-token-secret-0123456789',
  DATA_ENCRYPTION_KEY: 'sandbox-data-encryption-key-0123456789',
  ...ofProviders,
  ADMIN_CLIENT_ID: 'admin',
  ADMIN_CLIENT_SECRET: 'admin-secret',
} as const;

const SWITCH = new Set(['true', 'false', undefined]);

/** Whether this is a sandbox. `SANDBOX` is `true` or `false`, and false when it is not given. */
export function isSandbox(env: Environment): boolean {
  if (!SWITCH.has(env['SANDBOX'])) throw new BadEnvironment('SANDBOX must be true or false');
  return env['SANDBOX'] === 'true';
}

/**
 * The given variables without empty ones. In the sandbox default secrets are added where none is given; elsewhere the default
 * secrets are refused.
 */
export function withSecrets(env: Environment): Environment {
  if (isSandbox(env)) return { ...SANDBOX_SECRETS, ...definedIn(env) };
  for (const [name, value] of Object.entries(SANDBOX_SECRETS)) {
    // DATA_ENCRYPTION_KEY is a list: the public key would be accepted for decryption even when it is not the first.
    if (name !== 'ADMIN_CLIENT_ID' && splitSecrets(env[name] ?? '').includes(value)) {
      throw new BadEnvironment(`${name} is the sandbox's public default: give a secret of your own`);
    }
  }
  return definedIn(env);
}

function definedIn(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}
