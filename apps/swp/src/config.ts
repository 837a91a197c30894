import { configProvider, integerVariable, secretVariable, urlVariable } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    GATEWAYPOA_BASE_URL: urlVariable,
    GATEWAYPOA_API_KEY: secretVariable,
    GATEWAYPOA_WEBHOOK_SECRET: secretVariable,
    /** Installments generated in one transaction. A thousand take about 40 ms. */
    SWP_GENERATION_BATCH: integerVariable(1, 50_000, 250),
  })
  .transform((env): SwpConfig => ({
    gatewaypoa: {
      baseUrl: env.GATEWAYPOA_BASE_URL,
      apiKey: env.GATEWAYPOA_API_KEY,
      webhookSecret: env.GATEWAYPOA_WEBHOOK_SECRET,
    },
    generationBatch: env.SWP_GENERATION_BATCH,
  }));

/** The variables of swp, besides those that every service has. Parsed once at the start. */
export abstract class SwpConfig {
  abstract readonly gatewaypoa: {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly webhookSecret: string;
  };
  /** The most plans for which one transaction generates installments. */
  abstract readonly generationBatch: number;
}

export const swpConfig = configProvider(SwpConfig, schema);
