import { GatewaypoaPayments, SdkvendorPayments } from '@fundrail/providers';
import type { PaymentProvider } from '@fundrail/providers';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from './payment-providers.ts';

/** A provider whose connections end with the service. */
export type BuiltProvider = PaymentProvider & { close(): Promise<void> };

/** The payment providers that are built, besides the order gateway's own: a line each (docs/adding-a-provider.md). */
const BUILT: readonly ((config: PaymentsConfig) => BuiltProvider)[] = [
  (config) => new SdkvendorPayments(config.sdkvendor),
];

class ProvidersOfTheService extends PaymentProviders implements OnApplicationShutdown {
  constructor(
    private readonly gatewaypoa: GatewaypoaPayments,
    private readonly others: readonly BuiltProvider[],
  ) {
    super([gatewaypoa, ...others], gatewaypoa);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.gatewaypoa, ...this.others].map((provider) => provider.close()));
  }
}

/** The payment providers of the service. Whoever collected the money, gatewaypoa takes it to the order gateway. */
export const paymentProviders: FactoryProvider<PaymentProviders> = {
  provide: PaymentProviders,
  inject: [PaymentsConfig],
  useFactory: (config: PaymentsConfig) =>
    new ProvidersOfTheService(
      new GatewaypoaPayments(config.gatewaypoa),
      BUILT.map((build) => build(config)),
    ),
};
