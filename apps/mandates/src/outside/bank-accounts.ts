import { bankAccountFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** How many owners are cached. An entry is about 100 bytes. */
const MOST_CACHED = 10_000;

/** Reads bank accounts from identity. */
@Injectable()
export class BankAccounts {
  /** Owners by tenant and account. An account never changes its owner, so the entries are never stale. */
  private readonly owners = new Map<string, string>();

  constructor(private readonly services: ServiceClient) {}

  /** The investor profile of the bank account with that `old_id`, or null when the tenant has none. Throws `SERVICE_UNAVAILABLE`. */
  async findOwner(tenant: string, oldId: number): Promise<string | null> {
    const key = `${oldId} ${tenant}`;
    const known = this.owners.get(key);
    if (known !== undefined) return known;
    const path = `/internal/bank_accounts/${oldId}?tenant=${encodeURIComponent(tenant)}`;
    const owner = (await this.services.find('identity', path, bankAccountFacts))?.profile ?? null;
    if (owner !== null) this.cache(key, owner);
    return owner;
  }

  private cache(key: string, owner: string): void {
    const oldest = this.owners.keys().next();
    if (this.owners.size >= MOST_CACHED && !oldest.done) this.owners.delete(oldest.value);
    this.owners.set(key, owner);
  }
}
