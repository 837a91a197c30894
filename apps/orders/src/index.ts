import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { HolidayCopies1700000030000 } from '@fundrail/service-kit/holidays';
import { ordersConfig } from './config.ts';
import { CollectionsWithoutMark1900000000050 } from './migrations/collections-without-mark.migration.ts';
import { GatewayEventsByAge1700000050100 } from './migrations/gateway-events.migration.ts';
import { InstallmentDrawsByAge1700000000300 } from './migrations/installment-draws.migration.ts';
import { GivenUpOrders1700001010001 } from './migrations/given-up-orders.migration.ts';
import { LastPayment1700001020003 } from './migrations/last-payment.migration.ts';
import { MfOrders1700000000100 } from './migrations/mf-orders.migration.ts';
import { MfRedemptions1700000000200 } from './migrations/mf-redemptions.migration.ts';
import { OneRedemptionAnInstallment1700000000201 } from './migrations/one-redemption-an-installment.migration.ts';
import { RecountedExpiries1900000000051 } from './migrations/recounted-expiries.migration.ts';
import { ReturnedCollections1700001020001 } from './migrations/returned-collections.migration.ts';
import { MF_ORDERS } from './order/order.table.ts';
import { OrdersModule } from './orders.module.ts';

export { type OrdersFaultPoint } from './order/fault-points.ts';

/**
 * mf_purchases and mf_redemptions: review, consent, confirmation, submission, outcome; and the claims that payments makes on them.
 */
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
    GivenUpOrders1700001010001,
    ReturnedCollections1700001020001,
    LastPayment1700001020003,
    CollectionsWithoutMark1900000000050,
    RecountedExpiries1900000000051,
  ],
  tables: [MF_ORDERS],
};
// For tests that replace the gateway: the service with a gateway of their own.
export { ordersConfig } from './config.ts';
export { ORDER_GATEWAY } from './gateway/order-gateway.ts';
export { ordersWiring } from './orders.module.ts';
