import { AnswerCache } from './answer-cache.ts';

/** An account never changes its owner, but an investor is closed a minute before its erasure (INV-17): this is well below it. */
const OWNER_MS = 20_000;
/** While identity does not answer, nothing is erased. */
const OWNER_STALE_MS = 1_800_000;
/** How many owners are cached. An entry is about 300 bytes. */
const MOST_CACHED = 10_000;

/** The investor profiles that own the accounts of tenants, as identity answers. An account that is not there is asked for each time. */
export class OwnerCache {
  private readonly owners = new AnswerCache<string | null>(OWNER_MS, MOST_CACHED, OWNER_STALE_MS);

  async get(tenant: string, account: string | number, ask: () => Promise<string | null>) {
    const key = `${account} ${tenant}`;
    const owner = await this.owners.get(key, ask);
    if (owner === null) this.owners.delete(key);
    return owner;
  }
}
