import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { ordersConfig } from './config.ts';
import { ExpectedNavs1900000000120 } from './migrations/expected-navs.migration.ts';
import { Payouts1900000000123 } from './migrations/payouts.migration.ts';
import { OrdersBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { CollectionsWithoutMark1900000000050 } from './migrations/collections-without-mark.migration.ts';
import {
  OrdersOfFolios1900000000098,
  RetriedOrders1900000000097,
} from './migrations/folios-and-retries.migration.ts';
import { GivenUpOrders1700001010001 } from './migrations/given-up-orders.migration.ts';
import { LastPayment1700001020003 } from './migrations/last-payment.migration.ts';
import { OverseasRedemptions1900000000130 } from './migrations/overseas-redemptions.migration.ts';
import { PurchaseInstallments1700001080002 } from './migrations/purchase-installments.migration.ts';
import { RecountedExpiries1900000000051 } from './migrations/recounted-expiries.migration.ts';
import { RetriedAs1900000000110 } from './migrations/retried-as.migration.ts';
import { ReturnedCollections1700001020001 } from './migrations/returned-collections.migration.ts';
import { MF_ORDERS } from './order/order.table.ts';
import { ORDERS_PERSONAL } from './order/personal.tables.ts';
import { OrdersModule } from './orders.module.ts';
import { ORDER_SEQUENCES } from './reconciliation/standing.repository.ts';

export { type OrdersFaultPoint } from './order/fault-points.ts';

/** mf_purchases and mf_redemptions: review, consent, confirmation, submission, outcome; and the claims that payments makes on them. */
export const ordersService: ServiceDefinition = {
  name: 'orders',
  module: OrdersModule,
  config: ordersConfig,
  migrations: [
    ...serviceKitMigrations,
    OrdersBaseline1700001000001,
    GivenUpOrders1700001010001,
    ReturnedCollections1700001020001,
    LastPayment1700001020003,
    PurchaseInstallments1700001080002,
    CollectionsWithoutMark1900000000050,
    RecountedExpiries1900000000051,
    RetriedOrders1900000000097,
    OrdersOfFolios1900000000098,
    RetriedAs1900000000110,
    ExpectedNavs1900000000120,
    Payouts1900000000123,
    OverseasRedemptions1900000000130,
  ],
  tables: [MF_ORDERS],
  personal: ORDERS_PERSONAL,
  sequences: ORDER_SEQUENCES,
};
// For tests that replace the gateway: the service with a gateway of their own.
export { ordersConfig } from './config.ts';
export { ORDER_GATEWAY } from './gateway/order-gateway.ts';
export { ordersWiring } from './orders.module.ts';
