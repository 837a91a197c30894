import { configProvider } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object({
    GATEWAYPOA_BASE_URL: z.url({
      protocol: /^https?$/,
      error: "must be the address of gatewaypoa's interface",
    }),
    GATEWAYPOA_API_KEY: z.string('give the key that gatewaypoa issued').min(1),
    GATEWAYPOA_WEBHOOK_SECRET: z.string('give the secret that signs the callbacks').min(1),
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
