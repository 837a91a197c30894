import { serviceKitMigrations } from '@fundrail/service-kit/db';
import { HolidayCopies1700000030000 } from '@fundrail/service-kit/holidays';
import type { ServiceDefinition } from '@fundrail/service-kit';
import { paymentsConfig } from './config.ts';
import { Checkout1700000000310 } from './migrations/checkout.migration.ts';
import { OrderNames1900000000020 } from './migrations/order-names.migration.ts';
import { CheckoutAttempts1700000000330 } from './migrations/checkout-attempts.migration.ts';
import { PaymentCounts1700000000340 } from './migrations/payment-counts.migration.ts';
import { PaymentListIndexes1700000000341 } from './migrations/payment-list-indexes.migration.ts';
import { Mandates1700000000350 } from './migrations/mandates.migration.ts';
import { DebitCalls1700000000395 } from './migrations/debit-calls.migration.ts';
import { DebitPace1700000000390 } from './migrations/debit-pace.migration.ts';
import { OrderDebits1700000000360 } from './migrations/order-debits.migration.ts';
import { DebitRules1700000000370 } from './migrations/debit-rules.migration.ts';
import { DebitsByMandate1700000000371 } from './migrations/debits-by-mandate.migration.ts';
import { ProviderEventsByAge1700000050300 } from './migrations/provider-events.migration.ts';
import { ProviderCalls1900000000030 } from './migrations/provider-calls.migration.ts';
import { RecountedDebits1900000000052 } from './migrations/recounted-debits.migration.ts';
import { Payments1700000000300 } from './migrations/payments.migration.ts';
import { CAPTURES, PAYMENT_ORDERS, PAYMENTS, REFUNDS } from './payment/payment.tables.ts';
import { ORDER_STATES } from './payment/order-state.repository.ts';
import { MANDATE_TOKENS } from './authorisation/mandate-token.repository.ts';
import { CHECKOUT_ATTEMPTS } from './checkout-page/attempt.repository.ts';
import { DEBIT_ATTEMPTS, DEBITS } from './debit/debit.repository.ts';
import { PaymentsModule } from './payments.module.ts';

/** The service: payments, provider callbacks, transfers, refunds (docs/specification/payments.md). */
export const paymentsService: ServiceDefinition = {
  name: 'payments',
  module: PaymentsModule,
  config: paymentsConfig,
  migrations: [
    ...serviceKitMigrations,
    Payments1700000000300,
    Checkout1700000000310,
    CheckoutAttempts1700000000330,
    PaymentCounts1700000000340,
    PaymentListIndexes1700000000341,
    Mandates1700000000350,
    OrderDebits1700000000360,
    DebitRules1700000000370,
    DebitsByMandate1700000000371,
    DebitPace1700000000390,
    DebitCalls1700000000395,
    HolidayCopies1700000030000,
    ProviderEventsByAge1700000050300,
    OrderNames1900000000020,
    ProviderCalls1900000000030,
    RecountedDebits1900000000052,
  ],
  tables: [
    ...[PAYMENTS, PAYMENT_ORDERS, REFUNDS, CAPTURES, ORDER_STATES],
    ...[MANDATE_TOKENS, DEBITS, DEBIT_ATTEMPTS, CHECKOUT_ATTEMPTS],
  ],
  // The link to the hosted page, and the session of the page that it opened.
  keyedLinks: { variable: 'PAYMENT_EXPIRY_MINUTES', minutes: 30 },
};
export type { PaymentFaultPoint } from './fault-points.ts';
// For tests that run the service with their own providers.
export { PaymentProviders } from './outside/payment-providers.ts';
export { paymentsWiring } from './payments.module.ts';
