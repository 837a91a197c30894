import { gatewaypoaAccess, gatewaypoaVariables, type GatewaypoaAccess } from '@fundrail/providers';
import { configProvider, integerVariable } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    ...gatewaypoaVariables,
    /** Installments generated in one transaction. A thousand take about 40 ms. */
    SWP_GENERATION_BATCH: integerVariable(1, 50_000, 250),
  })
  .transform((env): SwpConfig => ({
    gatewaypoa: gatewaypoaAccess(env),
    generationBatch: env.SWP_GENERATION_BATCH,
  }));

/** The variables of swp, besides those that every service has. Parsed once at the start. */
export abstract class SwpConfig {
  abstract readonly gatewaypoa: GatewaypoaAccess;
  /** The most plans for which one transaction generates installments. */
  abstract readonly generationBatch: number;
}

export const swpConfig = configProvider(SwpConfig, schema);
