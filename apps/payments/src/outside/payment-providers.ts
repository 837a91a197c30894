import type { PaymentProvider, TransferGateway } from '@fundrail/providers';
import type { ProviderName } from '../payment/payment.entity.ts';

/** The payment providers that are built, by name. A further one is a folder in libs/providers and a line in the module. */
export class PaymentProviders {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  constructor(
    providers: readonly PaymentProvider[],
    /** Takes received money to the order gateway, whoever collected it. */
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

  /** Throws for a provider that is not built: no payment can have come to be with it. */
  of(name: ProviderName): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`the payment provider ${name} is not available`);
    return provider;
  }
}
