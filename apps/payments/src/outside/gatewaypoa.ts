import { GatewaypoaPayments } from '@fundrail/providers';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from './payment-providers.ts';

/** gatewaypoa's connections end with the service. */
class ProvidersOfTheService extends PaymentProviders implements OnApplicationShutdown {
  constructor(private readonly gatewaypoa: GatewaypoaPayments) {
    super([gatewaypoa], gatewaypoa);
  }

  onApplicationShutdown(): Promise<void> {
    return this.gatewaypoa.close();
  }
}

/** The payment providers that are built. */
export const paymentProviders: FactoryProvider<PaymentProviders> = {
  provide: PaymentProviders,
  inject: [PaymentsConfig],
  useFactory: (config: PaymentsConfig) =>
    new ProvidersOfTheService(new GatewaypoaPayments(config.gatewaypoa)),
};
