import type { PaymentProvider, ProviderMandates } from '@fundrail/providers';
import type { ProviderName } from '../mandate/mandate.entity.ts';

/** What this service asks of a provider. Authorisations and debits are payments' business. */
export type MandateProvider = Pick<ProviderMandates, 'revoke' | 'mandateStatus' | 'readMandateCallback'>;

/** A payment provider as far as mandates go; null where it keeps none. */
export interface NamedProvider {
  readonly name: PaymentProvider['name'];
  readonly mandates: MandateProvider | null;
}

/** The providers that keep mandates, by name. */
export class MandateProviders {
  private readonly byName: ReadonlyMap<string, MandateProvider | null>;

  constructor(providers: readonly NamedProvider[]) {
    this.byName = new Map(providers.map(({ name, mandates }) => [name, mandates]));
  }

  /** Null when the provider keeps no mandates: whatever waits for it goes on waiting. */
  of(name: ProviderName): MandateProvider | null {
    return this.byName.get(name) ?? null;
  }
}
