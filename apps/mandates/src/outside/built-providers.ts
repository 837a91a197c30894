import { GatewaypoaPayments, SdkvendorPayments } from '@fundrail/providers';
import type { PaymentProvider } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider, OnApplicationShutdown } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { MandateProviders } from './mandate-providers.ts';

type BuiltProvider = PaymentProvider & { close(): Promise<void> };

/** What Razorpay is told in place of an investor's browser when one pays: nobody pays by this service. */
const NO_BROWSER = { ip: '127.0.0.1', referer: 'http://127.0.0.1', user_agent: 'fundrail' };

/** The providers of the service, whose connections end with it. */
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
  useFactory: (config: MandatesConfig, { observe }: ProviderCalls) =>
    new ProvidersOfTheService([
      new GatewaypoaPayments({ ...config.gatewaypoa, observe }),
      new SdkvendorPayments({ ...config.sdkvendor, server: NO_BROWSER, observe }),
    ]),
};
