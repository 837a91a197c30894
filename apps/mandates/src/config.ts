import {
  baseUrlVariable,
  configProvider,
  gatewaypoaAccess,
  gatewaypoaVariables,
  sdkvendorAccess,
  sdkvendorVariables,
  type GatewaypoaAccess,
  type SdkvendorAccess,
} from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    SANDBOX: z.enum(['true', 'false'], 'must be true or false').default('false'),
    PUBLIC_BASE_URL: baseUrlVariable.default('http://127.0.0.1:3000'),
    ...gatewaypoaVariables,
    ...sdkvendorVariables,
  })
  .transform((env): MandatesConfig => ({
    gatewaypoa: gatewaypoaAccess(env),
    sdkvendor: sdkvendorAccess(env),
  }));

/** The variables of mandates, besides those that every service has: the providers that keep mandates. Parsed once at the start. */
export abstract class MandatesConfig {
  abstract readonly gatewaypoa: GatewaypoaAccess;
  abstract readonly sdkvendor: SdkvendorAccess;
}

export const mandatesConfig = configProvider(MandatesConfig, schema);
