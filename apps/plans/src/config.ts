import { gatewaypoaAccess, gatewaypoaVariables, type GatewaypoaAccess } from '@fundrail/providers';
import { configProvider, integerVariable } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    ...gatewaypoaVariables,
    /** Set once every replica knows purchase plans: one of the release before would generate redemptions (SIP-1). */
    PURCHASE_PLANS: z.enum(['true', 'false'], 'must be true or false').default('false'),
    /** Installments generated in one transaction. A thousand take about 40 ms. */
    PLANS_GENERATION_BATCH: integerVariable(1, 50_000, 500),
  })
  .transform((env): PlansConfig => ({
    gatewaypoa: gatewaypoaAccess(env),
    generationBatch: env.PLANS_GENERATION_BATCH,
    purchasePlans: env.PURCHASE_PLANS === 'true',
  }));

/** The variables of plans, besides those that every service has. Parsed once at the start. */
export abstract class PlansConfig {
  abstract readonly gatewaypoa: GatewaypoaAccess;
  /** The most plans for which one transaction generates installments. */
  abstract readonly generationBatch: number;
  /** Whether the routes of purchase plans are there. */
  abstract readonly purchasePlans: boolean;
}

export const plansConfig = configProvider(PlansConfig, schema);
