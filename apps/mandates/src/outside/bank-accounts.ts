import { bankAccountFacts } from '@fundrail/contracts';
import { AnswerCache, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** An account never changes its owner, but an investor is closed a minute before its erasure (INV-17): this is well below it. */
const OWNER_MS = 20_000;
/** While identity does not answer, nothing is erased. */
const OWNER_STALE_MS = 1_800_000;
/** How many owners are cached. An entry is about 300 bytes. */
const MOST_CACHED = 10_000;

/** Reads bank accounts from identity. */
@Injectable()
export class BankAccounts {
  private readonly owners = new AnswerCache<string | null>(OWNER_MS, MOST_CACHED, OWNER_STALE_MS);

  constructor(private readonly services: ServiceClient) {}

  /** The investor profile of the bank account with that `old_id`, or null when the tenant has none. Throws `SERVICE_UNAVAILABLE`. */
  async findOwner(tenant: string, oldId: number): Promise<string | null> {
    const key = `${oldId} ${tenant}`;
    const path = `/internal/bank_accounts/${oldId}?tenant=${encodeURIComponent(tenant)}`;
    const ask = async () => (await this.services.find('identity', path, bankAccountFacts))?.profile ?? null;
    const owner = await this.owners.get(key, ask);
    if (owner === null) this.owners.delete(key);
    return owner;
  }
}
