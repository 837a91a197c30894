import { ValidationFailed, type MandateType, type ProviderName } from '@fundrail/contracts';
import { Tenants } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { MandateProviders } from './mandate-providers.ts';

/** Finds the provider of a mandate whose request names none (MAN-25). */
@Injectable()
export class DefaultProvider {
  constructor(
    private readonly providers: MandateProviders,
    private readonly tenants: Tenants,
  ) {}

  /** Throws as `theirOwnOrOnly`, and 503 when identity does not answer. */
  of(tenant: string, type: MandateType): Promise<ProviderName> {
    return theirOwnOrOnly(
      this.providers.taking(type),
      async () => (await this.tenants.settings(tenant)).payment_provider,
    );
  }
}

/** The only one of the providers that take a type, or the tenant's own among several. Throws a 400 when there is neither. */
export async function theirOwnOrOnly(
  [only, ...others]: readonly ProviderName[],
  ofTenant: () => Promise<ProviderName>,
): Promise<ProviderName> {
  if (only !== undefined && others.length === 0) return only;
  const own = await ofTenant();
  if (own === only || others.includes(own)) return own;
  const message = 'is required: the payment provider of the tenant takes no mandates of this type';
  throw new ValidationFailed([{ field: 'provider_name', message }]);
}
