import { investmentAccountFacts, toContact } from '@fundrail/contracts';
import type { ProviderDebit } from '@fundrail/providers';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** The contacts of investors, from identity, for providers that want them with a debit. */
@Injectable()
export class InvestorContacts {
  constructor(private readonly services: ServiceClient) {}

  /** Of this investment account; nothing without one. Not cached, because they may change. Throws 503 when identity does not answer. */
  async of(tenant: string, account: string | null): Promise<ProviderDebit['contact']> {
    if (account === null) return { email: null, mobile: null };
    const path = `/internal/mf_investment_accounts/${encodeURIComponent(account)}?tenant=${encodeURIComponent(tenant)}`;
    const asked = { method: 'GET', path, answer: investmentAccountFacts } as const;
    return toContact((await this.services.call('identity', asked)).contacts);
  }
}
