import { buildProviders, type BuiltProvider } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { MandateProviders } from './mandate-providers.ts';

/** Razorpay wants an investor's browser for a payment. This service takes no payments, so it sends these values. */
const NO_BROWSER = { ip: '127.0.0.1', referer: 'http://127.0.0.1', user_agent: 'fundrail' };

/** The providers of the service, with connections that close when the service shuts down. */
class ProvidersOfTheService extends MandateProviders implements OnApplicationShutdown {
  constructor(private readonly built: readonly BuiltProvider[]) {
    super(built);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.built.map((provider) => provider.close()));
  }
}

export const mandateProviders: FactoryProvider<MandateProviders> = {
  provide: MandateProviders,
  inject: [MandatesConfig, ProviderCalls],
  useFactory: ({ gatewaypoa, sdkvendor }: MandatesConfig, { observe, businessTime }: ProviderCalls) => {
    const config = { gatewaypoa, sdkvendor: { ...sdkvendor, server: NO_BROWSER } };
    return new ProvidersOfTheService(buildProviders(config, { observe, businessTime }).all);
  },
};
