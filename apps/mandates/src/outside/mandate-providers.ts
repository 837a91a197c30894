import type { ProviderName } from '@fundrail/contracts';
import type { PaymentProvider, ProviderMandates } from '@fundrail/providers';

/** The part of a provider that this service uses. Authorisations and debits belong to payments. */
export type MandateProvider = Pick<ProviderMandates, 'revoke' | 'mandateStatus' | 'readMandateCallback'>;

/** The answer in place of a call to a provider that has no mandates. */
export const HAS_NO_MANDATES = {
  kind: 'unknown',
  why: 'not_sent',
  detail: 'the provider has no mandates',
} as const;

/** A payment provider and its mandates; null when it has none. */
interface NamedProvider {
  readonly name: PaymentProvider['name'];
  readonly mandates: MandateProvider | null;
}

/** The providers that have mandates, by name. */
export class MandateProviders {
  private readonly byName: ReadonlyMap<string, MandateProvider | null>;

  constructor(providers: readonly NamedProvider[]) {
    this.byName = new Map(providers.map(({ name, mandates }) => [name, mandates]));
  }

  /** Null when the provider has no mandates. Due work for it keeps waiting. */
  of(name: ProviderName): MandateProvider | null {
    return this.byName.get(name) ?? null;
  }
}
