import { serviceKitMigrations } from '@fundrail/service-kit/db';
import type { ServiceDefinition } from '@fundrail/service-kit';
import { paymentsConfig } from './config.ts';
import { Checkout1700000000310 } from './migrations/checkout.migration.ts';
import { CheckoutAttempts1700000000330 } from './migrations/checkout-attempts.migration.ts';
import { PaymentCounts1700000000340 } from './migrations/payment-counts.migration.ts';
import { Mandates1700000000350 } from './migrations/mandates.migration.ts';
import { Payments1700000000300 } from './migrations/payments.migration.ts';
import { CaptureRow, PaymentRow, RefundRow, ShareRow } from './payment/payment.entity.ts';
import { PaymentsModule } from './payments.module.ts';

/** The service: payments, provider callbacks, transfers, refunds (contract §3). */
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
    Mandates1700000000350,
  ],
  entities: [PaymentRow, ShareRow, RefundRow, CaptureRow],
};
export { PAYMENT_FAULT_POINTS } from './fault-points.ts';
export type { PaymentFaultPoint } from './fault-points.ts';
// For tests that play the outside: the service over providers of their own.
export { PaymentProviders } from './outside/payment-providers.ts';
export { paymentsWiring } from './payments.module.ts';
