import { bankAccountFacts } from '@fundrail/contracts';
import { OwnerCache, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Reads bank accounts from identity. */
@Injectable()
export class BankAccounts {
  private readonly owners = new OwnerCache();

  constructor(private readonly services: ServiceClient) {}

  /** The investor profile of the bank account with that `old_id`, or null when the tenant has none. Throws `SERVICE_UNAVAILABLE`. */
  findOwner(tenant: string, oldId: number): Promise<string | null> {
    const path = `/internal/bank_accounts/${oldId}?tenant=${encodeURIComponent(tenant)}`;
    const ask = async () => (await this.services.find('identity', path, bankAccountFacts))?.profile ?? null;
    return this.owners.get(tenant, oldId, ask);
  }
}
