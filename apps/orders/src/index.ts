import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { HolidayCopies1700000030000 } from '@fundrail/service-kit/holidays';
import { ordersConfig } from './config.ts';
import { GatewayEventsByAge1700000050100 } from './migrations/gateway-events.migration.ts';
import { InstallmentDrawsByAge1700000000300 } from './migrations/installment-draws.migration.ts';
import { MfOrders1700000000100 } from './migrations/mf-orders.migration.ts';
import { MfRedemptions1700000000200 } from './migrations/mf-redemptions.migration.ts';
import { OneRedemptionAnInstallment1700000000201 } from './migrations/one-redemption-an-installment.migration.ts';
import { MfOrder } from './order/order.entity.ts';
import { OrdersModule } from './orders.module.ts';

export { ORDERS_FAULT_POINTS, type OrdersFaultPoint } from './order/fault-points.ts';

/** mf_purchases and mf_redemptions: review, consent, confirmation, submission, outcome; and the claim that payments make on them. */
export const ordersService: ServiceDefinition = {
  name: 'orders',
  module: OrdersModule,
  config: ordersConfig,
  migrations: [
    ...serviceKitMigrations,
    MfOrders1700000000100,
    MfRedemptions1700000000200,
    OneRedemptionAnInstallment1700000000201,
    InstallmentDrawsByAge1700000000300,
    HolidayCopies1700000030000,
    GatewayEventsByAge1700000050100,
  ],
  entities: [MfOrder],
};
// For tests that play the outside: the service over a gateway of their own.
export { ordersConfig } from './config.ts';
export { ORDER_GATEWAY } from './gateway/order-gateway.ts';
export { ordersWiring } from './orders.module.ts';
