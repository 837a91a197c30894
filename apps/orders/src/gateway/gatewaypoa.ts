import { GatewaypoaOrders } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { OrdersConfig } from '../config.ts';
import { ORDER_GATEWAY } from './order-gateway.ts';

/** gatewaypoa, whose connections end with the service. */
class Gatewaypoa extends GatewaypoaOrders implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** The order gateway of contract §2. */
export const gatewaypoa: FactoryProvider<GatewaypoaOrders> = {
  provide: ORDER_GATEWAY,
  inject: [OrdersConfig, ProviderCalls],
  useFactory: (config: OrdersConfig, { observe }: ProviderCalls) =>
    new Gatewaypoa({ ...config.gatewaypoa, observe }),
};
