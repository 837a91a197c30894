import { GatewaypoaPayments, SdkvendorPayments } from '@fundrail/providers';
import type { PaymentProvider } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from './payment-providers.ts';

/** A provider whose connections end with the service. */
export type BuiltProvider = PaymentProvider & { close(): Promise<void> };

/** Who measures the calls. */
type Seen = Pick<ProviderCalls, 'observe'>;

/** The payment providers that are built, besides the order gateway's own: a line each (docs/adding-a-provider.md). */
const BUILT: readonly ((config: PaymentsConfig, seen: Seen) => BuiltProvider)[] = [
  (config, seen) => new SdkvendorPayments({ ...config.sdkvendor, ...seen }),
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
  inject: [PaymentsConfig, ProviderCalls],
  useFactory: (config: PaymentsConfig, { observe }: ProviderCalls) =>
    new ProvidersOfTheService(
      new GatewaypoaPayments({ ...config.gatewaypoa, observe }),
      BUILT.map((build) => build(config, { observe })),
    ),
};
