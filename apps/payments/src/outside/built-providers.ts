import { buildProviders } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from './payment-providers.ts';

class ProvidersOfTheService extends PaymentProviders implements OnApplicationShutdown {
  constructor(private readonly built: ReturnType<typeof buildProviders>) {
    super(built.all, built.gateway);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.built.all.map((provider) => provider.close()));
  }
}

/** The payment providers of the service, with connections that close when it stops. */
export const paymentProviders: FactoryProvider<PaymentProviders> = {
  provide: PaymentProviders,
  inject: [PaymentsConfig, ProviderCalls],
  useFactory: (config: PaymentsConfig, { observe, businessTime }: ProviderCalls) =>
    new ProvidersOfTheService(buildProviders(config, { observe, businessTime })),
};
