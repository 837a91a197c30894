import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { ordersConfig } from './config.ts';
import { MfOrders1700000000100 } from './migrations/mf-orders.migration.ts';
import { MfOrder } from './order/order.entity.ts';
import { OrdersModule } from './orders.module.ts';

export { ORDERS_FAULT_POINTS, type OrdersFaultPoint } from './order/fault-points.ts';

/** mf_purchases: review, consent, confirmation, submission, outcome; and the claim that payments make on them. */
export const ordersService: ServiceDefinition = {
  name: 'orders',
  module: OrdersModule,
  config: ordersConfig,
  migrations: [...serviceKitMigrations, MfOrders1700000000100],
  entities: [MfOrder],
};
// For tests that play the outside: the service over a gateway of their own.
export { ordersConfig } from './config.ts';
export { ORDER_GATEWAY } from './gateway/order-gateway.ts';
export { ordersWiring } from './orders.module.ts';
