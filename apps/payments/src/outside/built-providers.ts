import { buildProviders } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from './payment-providers.ts';

/** The payment providers of the service. */
export const paymentProviders: FactoryProvider<PaymentProviders> = {
  provide: PaymentProviders,
  inject: [PaymentsConfig, ProviderCalls],
  useFactory: ({ providers }: PaymentsConfig, { observe, businessTime }: ProviderCalls) => {
    const { all, transfers } = buildProviders(providers, { observe, businessTime });
    return new PaymentProviders(all, transfers);
  },
};
