import { tenantFacts, type TenantFacts } from '@fundrail/contracts';
import { Injectable } from '@nestjs/common';
import { SharedAnswer } from '../../db/shared-answer.ts';
import { ServiceClient } from './service-client.ts';

type Settings = TenantFacts['settings'];

/** An operator who changes a setting sees it take effect within this time: the same as on the checkout page (docs/checkout.md). */
const RECENT_MS = 2_000;

/** Reads the settings of tenants, which operators choose, from identity: without the secret that signs postbacks. */
@Injectable()
export class Tenants {
  /** As many as there are tenants, whose names come from stored rows only. */
  private readonly recent = new Map<string, SharedAnswer<Settings>>();

  constructor(private readonly services: ServiceClient) {}

  /** Not cached, so that a change holds at once. Throws `SERVICE_UNAVAILABLE`. */
  settings(tenant: string): Promise<Settings> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}/settings`;
    return this.services.call('identity', { method: 'GET', path, answer: tenantFacts.shape.settings });
  }

  /**
   * For work on many rows of a tenant, which refuses no request: at most one call for each tenant within 2 s, so a change holds 2 s later at
   * the latest. A failure is not kept. Throws as `settings`.
   */
  recentSettings(tenant: string): Promise<Settings> {
    const answer = this.recent.get(tenant) ?? new SharedAnswer(() => this.settings(tenant), RECENT_MS);
    this.recent.set(tenant, answer);
    return answer.get();
  }

  /** What is chosen within policies, by the name of the policy. Throws as `settings`. */
  async policies(tenant: string): Promise<Settings['policies']> {
    return (await this.settings(tenant)).policies;
  }
}
