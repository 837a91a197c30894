import { investmentAccountFacts, type InvestmentAccountFacts } from '@fundrail/contracts';
import { OwnerCache, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Reads investment accounts from identity. */
@Injectable()
export class InvestmentAccounts {
  private readonly owners = new OwnerCache();

  constructor(private readonly services: ServiceClient) {}

  /** The account's current contacts, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  find(tenant: string, id: string): Promise<InvestmentAccountFacts | null> {
    const path = `/internal/mf_investment_accounts/${encodeURIComponent(id)}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('identity', path, investmentAccountFacts);
  }

  /** The account's primary investor, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  findOwner(tenant: string, id: string): Promise<string | null> {
    return this.owners.get(tenant, id, async () => (await this.find(tenant, id))?.primary_investor ?? null);
  }
}
