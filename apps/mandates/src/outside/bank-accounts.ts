import { bankAccountFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** How many owners are remembered; an entry is about 100 bytes. */
const MOST_REMEMBERED = 10_000;

/** What identity knows of bank accounts. */
@Injectable()
export class BankAccounts {
  /** Owners by tenant and account: an account never changes its owner, so they are never stale. */
  private readonly owners = new Map<string, string>();

  constructor(private readonly services: ServiceClient) {}

  /** The investor profile of the bank account with that `old_id`, or null when the tenant has none. Throws `SERVICE_UNAVAILABLE`. */
  async findOwner(tenant: string, oldId: number): Promise<string | null> {
    const key = `${oldId} ${tenant}`;
    const known = this.owners.get(key);
    if (known !== undefined) return known;
    const path = `/internal/bank_accounts/${oldId}?tenant=${encodeURIComponent(tenant)}`;
    const owner = (await this.services.find('identity', path, bankAccountFacts))?.profile ?? null;
    if (owner !== null) this.remember(key, owner);
    return owner;
  }

  private remember(key: string, owner: string): void {
    const oldest = this.owners.keys().next();
    if (this.owners.size >= MOST_REMEMBERED && !oldest.done) this.owners.delete(oldest.value);
    this.owners.set(key, owner);
  }
}
