import { tenantFacts } from '@fundrail/contracts';
import type { TenantFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

// A change of the settings has to be felt within a second; without a cache each step of each order would ask.
const KEPT_MS = 1_000;

/** What identity says of a tenant, at most a second old. Call it outside transactions; throws `ApiError` when identity is silent. */
@Injectable()
export class TenantSettings {
  readonly #kept = new Map<string, { readonly facts: Promise<TenantFacts>; readonly until: number }>();

  constructor(private readonly services: ServiceClient) {}

  of(tenant: string): Promise<TenantFacts> {
    const kept = this.#kept.get(tenant);
    if (kept && performance.now() < kept.until) return kept.facts;
    const facts = this.#ask(tenant);
    this.#kept.set(tenant, { facts, until: performance.now() + KEPT_MS });
    // A failure is told to whoever asked now, and not kept for the next.
    facts.catch(() => this.#kept.delete(tenant));
    return facts;
  }

  #ask(tenant: string): Promise<TenantFacts> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}`;
    return this.services.call('identity', { method: 'GET', path, answer: tenantFacts });
  }
}
