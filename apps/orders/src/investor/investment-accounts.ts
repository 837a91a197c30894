import { investmentAccountFacts, type InvestmentAccountFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** How many owners are cached. An entry is about 100 bytes. */
const MOST_CACHED = 10_000;

/** Reads investment accounts from identity. */
@Injectable()
export class InvestmentAccounts {
  /** Owners by tenant and account. An account never changes its owner, so the entries are never stale. */
  private readonly owners = new Map<string, string>();

  constructor(private readonly services: ServiceClient) {}

  /** The account's current contacts, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  find(tenant: string, id: string): Promise<InvestmentAccountFacts | null> {
    const path = `/internal/mf_investment_accounts/${encodeURIComponent(id)}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('identity', path, investmentAccountFacts);
  }

  /** The account's primary investor, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  async findOwner(tenant: string, id: string): Promise<string | null> {
    const key = `${tenant}\n${id}`;
    const known = this.owners.get(key);
    if (known) return known;
    const facts = await this.find(tenant, id);
    if (facts) this.cache(key, facts.primary_investor);
    return facts?.primary_investor ?? null;
  }

  private cache(key: string, owner: string): void {
    const oldest = this.owners.keys().next();
    if (this.owners.size >= MOST_CACHED && !oldest.done) this.owners.delete(oldest.value);
    this.owners.set(key, owner);
  }
}
