import { providerVariables, type ProviderEnvironment } from '@fundrail/providers';
import { baseUrlVariable, configProvider } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default('http://127.0.0.1:3000'),
  })
  .and(providerVariables)
  .transform((providers): MandatesConfig => ({ providers }));

/** The variables of mandates, besides those that every service has. Parsed once at the start. */
export abstract class MandatesConfig {
  abstract readonly providers: ProviderEnvironment;
}

export const mandatesConfig = configProvider(MandatesConfig, schema);
