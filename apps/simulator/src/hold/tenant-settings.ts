import { tenantFacts } from '@fundrail/contracts';
import type { TenantFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

// What a payer is shown may be a second old; without a cache every payment would ask.
const KEPT_MS = 1_000;

/** What identity says of a tenant. Call it outside transactions; throws `ApiError` when identity is silent. */
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
    // A failure is told to whoever asked now, and not kept for the next.
    facts.catch(() => this.#kept.delete(tenant));
    return facts;
  }

  /**
   * As they are when it is called, or later: a hold that a test has just set is felt by the very next step. While one question
   * is under way, those who come share the one that follows, so steps in a crowd do not become questions in a crowd.
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
