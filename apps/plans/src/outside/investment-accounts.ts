import { investmentAccountFacts, type InvestmentAccountFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Reads investment accounts from identity. */
@Injectable()
export class InvestmentAccounts {
  constructor(private readonly services: ServiceClient) {}

  /** The account's current owner and contacts, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  find(tenant: string, id: string): Promise<InvestmentAccountFacts | null> {
    const path = `/internal/mf_investment_accounts/${encodeURIComponent(id)}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('identity', path, investmentAccountFacts);
  }
}
