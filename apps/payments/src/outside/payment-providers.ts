import type { ProviderName } from '@fundrail/contracts';
import type { PaymentProvider, TransferGateway } from '@fundrail/providers';
import type { OnApplicationShutdown } from '@nestjs/common';

/** The available payment providers, by name. Their connections are closed when the service stops. */
export class PaymentProviders implements OnApplicationShutdown {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  constructor(
    providers: readonly PaymentProvider[],
    /** Transfers received money to the order gateway, from all providers. */
    readonly transfers: TransferGateway,
  ) {
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  has(name: ProviderName): boolean {
    return this.byName.has(name);
  }

  get all(): readonly PaymentProvider[] {
    return [...this.byName.values()];
  }

  /** Throws for a provider that is not available: no payment can exist with it. */
  of(name: ProviderName): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`the payment provider ${name} is not available`);
    return provider;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.map(async (provider) => provider.close?.()));
  }
}
