import type { ServiceDefinition } from '@fundrail/service-kit';
import { serviceKitMigrations } from '@fundrail/service-kit/db';
import { MANDATE_TOKENS } from './collection/authorisation/mandate-token.repository.ts';
import { CHECKOUT_ATTEMPTS } from './collection/checkout-page/attempt.table.ts';
import { AUTHORISATIONS, CHECKOUTS, UPI_REQUESTS } from './collection/collection.tables.ts';
import { paymentsConfig } from './config.ts';
import { PaymentsBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { Collections1900000000080 } from './migrations/collections.migration.ts';
import { HandedOverDebits1900000000062 } from './migrations/handed-over-debits.migration.ts';
import { OpenProviderNames1900000000070 } from './migrations/open-provider-names.migration.ts';
import { OrderNames1900000000020 } from './migrations/order-names.migration.ts';
import { AskedNow1900000000112 } from './migrations/asked-now.migration.ts';
import { ProviderCalls1900000000030 } from './migrations/provider-calls.migration.ts';
import { RecountedDebits1900000000052 } from './migrations/recounted-debits.migration.ts';
import { SchemeCategories1900000000122 } from './migrations/scheme-categories.migration.ts';
import { PaymentsOfAccount1900000000120 } from './migrations/payments-of-account.migration.ts';
import { UpiOfAccount1900000000092 } from './migrations/upi-of-account.migration.ts';
import { WaysOfCaptures1900000000094 } from './migrations/ways-of-captures.migration.ts';
import { ORDER_STATES } from './payment/order-state.repository.ts';
import { CAPTURES, PAYMENT_ORDERS, PAYMENTS, REFUNDS } from './payment/payment.tables.ts';
import { PAYMENTS_PERSONAL } from './payment/personal.tables.ts';
import { PaymentsModule } from './payments.module.ts';
import { PAYMENT_SEQUENCES } from './reconciliation/standing.repository.ts';

/** The service: payments, provider callbacks, transfers, refunds (docs/specification/payments.md). */
export const paymentsService: ServiceDefinition = {
  name: 'payments',
  module: PaymentsModule,
  config: paymentsConfig,
  migrations: [
    ...serviceKitMigrations,
    PaymentsBaseline1700001000001,
    OrderNames1900000000020,
    ProviderCalls1900000000030,
    RecountedDebits1900000000052,
    HandedOverDebits1900000000062,
    OpenProviderNames1900000000070,
    Collections1900000000080,
    UpiOfAccount1900000000092,
    WaysOfCaptures1900000000094,
    AskedNow1900000000112,
    PaymentsOfAccount1900000000120,
    SchemeCategories1900000000122,
  ],
  tables: [
    ...[PAYMENTS, PAYMENT_ORDERS, REFUNDS, CAPTURES, ORDER_STATES],
    ...[UPI_REQUESTS, CHECKOUTS, CHECKOUT_ATTEMPTS, AUTHORISATIONS, MANDATE_TOKENS],
  ],
  personal: PAYMENTS_PERSONAL,
  sequences: PAYMENT_SEQUENCES,
  // The link to the hosted page, and the session of the page that it opened.
  keyedLinks: { variable: 'PAYMENT_EXPIRY_MINUTES', minutes: 30 },
};
export type { PaymentFaultPoint } from './fault-points.ts';
// For tests that run the service with their own providers.
export { PaymentProviders } from './outside/payment-providers.ts';
export { paymentsWiring } from './payments.module.ts';
