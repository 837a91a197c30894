import type { MandateType, ProviderName } from '@fundrail/contracts';
import type { PaymentProvider, ProviderMandates } from '@fundrail/providers';
import type { OnApplicationShutdown } from '@nestjs/common';

/** The part of a provider that this service uses: its mandates and their debits. Authorisations belong to payments. */
export type MandateProvider = Pick<
  ProviderMandates,
  | 'types'
  | 'revoke'
  | 'mandateStatus'
  | 'readMandateCallback'
  | 'mayDebitTwice'
  | 'notifyDebit'
  | 'withdrawNotice'
  | 'executeDebit'
  | 'debitStatus'
>;

/** The answer in place of a call to a provider that has no mandates. */
export const HAS_NO_MANDATES = {
  kind: 'unknown',
  why: 'not_sent',
  detail: 'the provider has no mandates',
} as const;

/** A payment provider and its mandates; null when it has none. */
interface NamedProvider extends Pick<PaymentProvider, 'name' | 'needsContact' | 'signatureHeader' | 'close'> {
  readonly mandates: MandateProvider | null;
}

/** The providers, by name. Their connections are closed when the service stops. */
export class MandateProviders implements OnApplicationShutdown {
  private readonly byName: ReadonlyMap<string, NamedProvider>;

  constructor(providers: readonly NamedProvider[]) {
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** Null when the provider has no mandates. Due work for it keeps waiting. */
  of(name: ProviderName): MandateProvider | null {
    return this.byName.get(name)?.mandates ?? null;
  }

  /** The providers that take mandates of the type, in their order. */
  taking(type: MandateType): readonly ProviderName[] {
    return [...this.byName.values()]
      .filter((one) => one.mandates?.types.includes(type))
      .map(({ name }) => name);
  }

  /** Whether it refuses debits without the payer's contacts. */
  needsContact(name: ProviderName): boolean {
    return this.byName.get(name)?.needsContact ?? false;
  }

  /** The header in which it signs its callbacks. */
  signatureHeaderOf(name: ProviderName): string {
    return this.byName.get(name)?.signatureHeader ?? '';
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.byName.values()].map(async (provider) => provider.close?.()));
  }
}
