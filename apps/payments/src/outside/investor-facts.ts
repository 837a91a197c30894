import {
  ApiError,
  bankAccountFacts,
  investmentAccountFacts,
  investorProfileFacts,
  tenantFacts,
  toContact,
} from '@fundrail/contracts';
import type { BankAccountFacts, InvestmentAccountFacts, TenantFacts } from '@fundrail/contracts';
import type { ProviderPayment } from '@fundrail/providers';
import { AnswerCache, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** A bank account never changes after its creation (INV-4 has no PATCH for it), but for its erasure: a payment of an order or a mandate is not created then. */
const BANK_ACCOUNT_MS = 600_000;
/** An operator who changes a tenant's settings sees them take effect within this time. */
const TENANT_MS = 2_000;
/** While identity does not answer, its last answer counts for as long as access tokens are valid. */
const TENANT_STALE_MS = 1_800_000;
const MAX_CACHED = 10_000;

/** Data of investors and tenants, from identity. Rejects with SERVICE_UNAVAILABLE when identity does not answer. */
@Injectable()
export class InvestorFacts {
  private readonly bankAccounts = new AnswerCache<BankAccountFacts | null>(BANK_ACCOUNT_MS, MAX_CACHED);
  private readonly tenants = new AnswerCache<TenantFacts>(TENANT_MS, MAX_CACHED, TENANT_STALE_MS);

  constructor(private readonly services: ServiceClient) {}

  /** The bank account with that `old_id`, or null when the tenant has none. */
  async bankAccount(tenant: string, oldId: number): Promise<BankAccountFacts | null> {
    const key = `${oldId} ${tenant}`;
    const facts = await this.bankAccounts.get(key, () => orNull(this.askBankAccount(tenant, oldId)));
    if (!facts) this.bankAccounts.delete(key);
    return facts;
  }

  /** An investment account by its prefixed id. Not cached, because its payout account may change. */
  investmentAccount(tenant: string, id: string): Promise<InvestmentAccountFacts> {
    const path = `/internal/mf_investment_accounts/${encodeURIComponent(id)}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.call('identity', { method: 'GET', path, answer: investmentAccountFacts });
  }

  /** The contacts of an investor. Not cached, because they may change. */
  async contact(tenant: string, profile: string): Promise<ProviderPayment['contact']> {
    const path = `/internal/investor_profiles/${encodeURIComponent(profile)}?tenant=${encodeURIComponent(tenant)}`;
    const asked = { method: 'GET', path, answer: investorProfileFacts } as const;
    return toContact((await this.services.call('identity', asked)).contacts);
  }

  tenant(name: string): Promise<TenantFacts> {
    const path = `/internal/tenants/${encodeURIComponent(name)}`;
    return this.tenants.get(name, () =>
      this.services.call('identity', { method: 'GET', path, answer: tenantFacts }),
    );
  }

  private askBankAccount(tenant: string, oldId: number): Promise<BankAccountFacts> {
    const path = `/internal/bank_accounts/${oldId}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.call('identity', { method: 'GET', path, answer: bankAccountFacts });
  }
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
