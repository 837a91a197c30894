import { gatewaypoaAccess, gatewaypoaVariables, type GatewaypoaAccess } from '@fundrail/providers';
import { configProvider } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z
  .object(gatewaypoaVariables)
  .transform((env): OrdersConfig => ({ gatewaypoa: gatewaypoaAccess(env) }));

/** The variables of orders, besides those that every service has. Parsed once at the start. */
export abstract class OrdersConfig {
  abstract readonly gatewaypoa: GatewaypoaAccess;
}

export const ordersConfig = configProvider(OrdersConfig, schema);
