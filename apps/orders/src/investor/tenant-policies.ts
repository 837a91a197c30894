import { tenantFacts, type TenantFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Reads what operators chose for a tenant within policies, from identity. */
@Injectable()
export class TenantPolicies {
  constructor(private readonly services: ServiceClient) {}

  /** The choices by the name of the policy. Not cached, so that a change holds at once. Throws `SERVICE_UNAVAILABLE`. */
  async of(tenant: string): Promise<TenantFacts['settings']['policies']> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}`;
    const { settings } = await this.services.call('identity', { method: 'GET', path, answer: tenantFacts });
    return settings.policies;
  }
}
