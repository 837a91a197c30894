import { buildProviders } from '@fundrail/providers';
import { ProviderCalls } from '@fundrail/service-kit';
import type { FactoryProvider } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { MandateProviders } from './mandate-providers.ts';

/** The providers of the service. */
export const mandateProviders: FactoryProvider<MandateProviders> = {
  provide: MandateProviders,
  inject: [MandatesConfig, ProviderCalls],
  useFactory: ({ providers }: MandatesConfig, { observe, businessTime }: ProviderCalls) =>
    new MandateProviders(buildProviders(providers, { observe, businessTime }).all),
};
