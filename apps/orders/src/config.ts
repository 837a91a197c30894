import { baseUrlVariable, configProvider, secretVariable } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    GATEWAYPOA_BASE_URL: baseUrlVariable,
    GATEWAYPOA_API_KEY: secretVariable,
    GATEWAYPOA_WEBHOOK_SECRET: secretVariable,
  })
  .transform((env): OrdersConfig => ({
    gatewaypoa: {
      baseUrl: env.GATEWAYPOA_BASE_URL,
      apiKey: env.GATEWAYPOA_API_KEY,
      webhookSecret: env.GATEWAYPOA_WEBHOOK_SECRET,
    },
  }));

/** The variables of orders, besides those that every service has. Parsed once at the start. */
export abstract class OrdersConfig {
  abstract readonly gatewaypoa: {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly webhookSecret: string;
  };
}

export const ordersConfig = configProvider(OrdersConfig, schema);
