import { GatewaypoaOrders } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { OrdersConfig } from '../config.ts';
import { ORDER_GATEWAY } from './order-gateway.ts';

/** gatewaypoa, with connections that close when the service shuts down. */
class Gatewaypoa extends GatewaypoaOrders implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** The order gateway of GATE-1. */
export const gatewaypoa: FactoryProvider<GatewaypoaOrders> = {
  provide: ORDER_GATEWAY,
  inject: [OrdersConfig, ProviderCalls],
  useFactory: (config: OrdersConfig, { observe, businessTime }: ProviderCalls) =>
    new Gatewaypoa({ ...config.gatewaypoa, observe, businessTime }),
};
