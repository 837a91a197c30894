import type { ProviderName } from '@fundrail/contracts';
import type { PaymentProvider, TransferGateway } from '@fundrail/providers';

/** The available payment providers, by name. `buildProviders` of libs/providers has a line for each. */
export class PaymentProviders {
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
}
