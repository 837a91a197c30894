import { GatewaypoaPayments, SdkvendorPayments, type PaymentProvider } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from './payment-providers.ts';

/** A provider whose connections are closed when the service stops. */
export type BuiltProvider = PaymentProvider & { close(): Promise<void> };

/** What measures the calls, and the clock of due work. */
type Observation = Pick<ProviderCalls, 'observe' | 'businessTime'>;

/** The available payment providers besides the order gateway's own, one line each (docs/adding-a-provider.md). */
const BUILT: readonly ((config: PaymentsConfig, observation: Observation) => BuiltProvider)[] = [
  (config, observation) => new SdkvendorPayments({ ...config.sdkvendor, ...observation }),
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

/** The payment providers of the service. gatewaypoa transfers all money to the order gateway, also money that another provider collected. */
export const paymentProviders: FactoryProvider<PaymentProviders> = {
  provide: PaymentProviders,
  inject: [PaymentsConfig, ProviderCalls],
  useFactory: (config: PaymentsConfig, { observe, businessTime }: ProviderCalls) =>
    new ProvidersOfTheService(
      new GatewaypoaPayments({ ...config.gatewaypoa, observe, businessTime }),
      BUILT.map((build) => build(config, { observe, businessTime })),
    ),
};
