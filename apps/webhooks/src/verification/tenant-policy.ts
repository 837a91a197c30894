import { tenantFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** The operator's settings for a tenant's endpoints. */
export abstract class TenantPolicy {
  /**
   * Whether a new URL of the tenant has to be verified. Throws `ApiError` SERVICE_UNAVAILABLE when the setting cannot be read, instead of
   * assuming no. Call it outside transactions.
   */
  abstract verifiesEndpoints(tenant: string): Promise<boolean>;
}

/**
 * Reads the setting from identity each time: endpoints are rarely created, and a changed setting applies immediately. It is off for an
 * unknown tenant.
 */
@Injectable()
export class TenantsAtIdentity extends TenantPolicy {
  constructor(private readonly services: ServiceClient) {
    super();
  }

  async verifiesEndpoints(tenant: string): Promise<boolean> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}/settings`;
    const settings = await this.services.find('identity', path, tenantFacts.shape.settings);
    return settings?.verify_endpoints ?? false;
  }
}
