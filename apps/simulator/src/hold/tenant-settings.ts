import { tenantFacts, type TenantFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

// A payer may see settings that are a second old. Without a cache, every payment would query identity.
const KEPT_MS = 1_000;

/** A tenant's settings, from identity. Call it outside transactions. Throws `ApiError` when identity does not respond. */
@Injectable()
export class TenantSettings {
  readonly #kept = new Map<string, { readonly facts: Promise<TenantFacts>; readonly until: number }>();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<TenantFacts>>();

  constructor(private readonly services: ServiceClient) {}

  /** At most a second old. */
  of(tenant: string): Promise<TenantFacts> {
    const kept = this.#kept.get(tenant);
    if (kept && performance.now() < kept.until) return kept.facts;
    const facts = this.#ask(tenant);
    this.#kept.set(tenant, { facts, until: performance.now() + KEPT_MS });
    // A failure rejects the current calls, and is not cached for the next ones.
    facts.catch(() => this.#kept.delete(tenant));
    return facts;
  }

  /**
   * The settings as they are at the call or later, so that a hold that a test has just set applies to the next step. Calls that arrive
   * during a query share the next query, so many steps at once do not cause many queries.
   */
  now(tenant: string): Promise<TenantFacts> {
    const waiting = this.#next.get(tenant);
    if (waiting) return waiting;
    const facts = this.#askAfter(this.#underWay.get(tenant) ?? Promise.resolve(), tenant);
    this.#next.set(tenant, facts);
    return facts;
  }

  async #askAfter(before: Promise<unknown>, tenant: string): Promise<TenantFacts> {
    await before;
    this.#next.delete(tenant);
    const asked = this.#ask(tenant);
    const ended = asked.catch(() => undefined);
    this.#underWay.set(tenant, ended);
    try {
      return await asked;
    } finally {
      if (this.#underWay.get(tenant) === ended) this.#underWay.delete(tenant);
    }
  }

  #ask(tenant: string): Promise<TenantFacts> {
    const path = `/internal/tenants/${encodeURIComponent(tenant)}`;
    return this.services.call('identity', { method: 'GET', path, answer: tenantFacts });
  }
}
