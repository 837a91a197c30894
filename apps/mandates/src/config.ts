import { providerVariables, type ProviderEnvironment } from '@fundrail/providers';
import { baseUrlVariable, configProvider, numberVariable } from '@fundrail/service-kit';
import { z } from 'zod';
import { debitRules, debitsPerSecond, debitVariables, paceVariables } from './debit/debit-config.ts';
import type { ConfiguredDebitRules, DebitsPerSecond } from './debit/debit-config.ts';

const DAY_MS = 86_400_000;

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default('http://127.0.0.1:3000'),
    FAILED_PAYMENT_WATCH_DAYS: numberVariable(0.01, 30, 'number of days').prefault('3'),
    ...debitVariables,
    ...paceVariables,
  })
  .and(providerVariables)
  .transform((env): MandatesConfig => ({
    providers: env,
    watchFailedMs: env.FAILED_PAYMENT_WATCH_DAYS * DAY_MS,
    debits: debitRules(env),
    debitsPerSecond: debitsPerSecond(env),
  }));

/** The variables of mandates, besides those that every service has. Parsed once at the start. */
export abstract class MandatesConfig {
  /** What the providers are built from. */
  abstract readonly providers: ProviderEnvironment;
  /** How long the provider is asked about a debit that has ended without money, in case it succeeds late. */
  abstract readonly watchFailedMs: number;
  /** The rules of debits. */
  abstract readonly debits: ConfiguredDebitRules;
  /** How many debits a second are sent to each provider, over all replicas (decision 0013). */
  abstract readonly debitsPerSecond: DebitsPerSecond;
}

export const mandatesConfig = configProvider(MandatesConfig, schema);
