import { investmentAccountFacts, type InvestmentAccountFacts } from '@fundrail/contracts';
import { AnswerCache, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** An account never changes its owner, but an investor is closed a minute before its erasure (INV-17): this is well below it. */
const OWNER_MS = 20_000;
/** While identity does not answer, nothing is erased. */
const OWNER_STALE_MS = 1_800_000;
/** How many owners are cached. An entry is about 300 bytes. */
const MOST_CACHED = 10_000;

/** Reads investment accounts from identity. */
@Injectable()
export class InvestmentAccounts {
  private readonly owners = new AnswerCache<string | null>(OWNER_MS, MOST_CACHED, OWNER_STALE_MS);

  constructor(private readonly services: ServiceClient) {}

  /** The account's current contacts, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  find(tenant: string, id: string): Promise<InvestmentAccountFacts | null> {
    const path = `/internal/mf_investment_accounts/${encodeURIComponent(id)}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('identity', path, investmentAccountFacts);
  }

  /** The account's primary investor, or null when the tenant has no such account. Throws `SERVICE_UNAVAILABLE`. */
  async findOwner(tenant: string, id: string): Promise<string | null> {
    const key = `${tenant}\n${id}`;
    const ask = async () => (await this.find(tenant, id))?.primary_investor ?? null;
    const owner = await this.owners.get(key, ask);
    if (owner === null) this.owners.delete(key);
    return owner;
  }
}
