import { tenantFacts, type TenantFacts } from '@fundrail/contracts';
import { Injectable } from '@nestjs/common';
import { ServiceClient } from './service-client.ts';

type Settings = TenantFacts['settings'];

/** Reads the settings of tenants, which operators choose, from identity: without the secret that signs postbacks. */
@Injectable()
export class Tenants {
  constructor(private readonly services: ServiceClient) {}

  /** Not cached, so that a change holds at once. Throws `SERVICE_UNAVAILABLE`. */
  settings(tenant: string): Promise<Settings> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}/settings`;
    return this.services.call('identity', { method: 'GET', path, answer: tenantFacts.shape.settings });
  }

  /** What is chosen within policies, by the name of the policy. Throws as `settings`. */
  async policies(tenant: string): Promise<Settings['policies']> {
    return (await this.settings(tenant)).policies;
  }
}
