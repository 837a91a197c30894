import type { InvestmentAccountFacts, InvestorProfileFacts } from '@fundrail/contracts';
import type { TransportAnswer } from '@fundrail/service-kit/http';
import { answered, bankAccountOf, keySet, tenantOf } from '@fundrail/testing';

export const INVESTOR = `invp_${'a'.repeat(32)}` as const;
export const ACCOUNT = `mfia_${'b'.repeat(32)}` as const;
const BANK_ACCOUNT = 7;
const CONTACTS = { email: 'investor@example.com', isd_code: '91', mobile: '9876543210' };

/** Identity, as other services see it: one investor of tenant `demo` with one bank account. */
export class PlayedIdentity {
  answer(path: string): TransportAnswer {
    return answered(this.bodyOf(path));
  }

  private bodyOf(path: string): object {
    if (path === '/.well-known/jwks.json') return keySet();
    if (path.startsWith('/internal/tenants/')) return path.endsWith('/settings') ? TENANT.settings : TENANT;
    if (path.startsWith('/internal/bank_accounts/')) return PAYING_ACCOUNT;
    if (path.startsWith('/internal/investor_profiles/')) return PROFILE;
    if (path.startsWith('/internal/mf_investment_accounts/')) return INVESTMENT_ACCOUNT;
    throw new Error(`unexpected call of identity: ${path}`);
  }
}

const TENANT = tenantOf('demo', {
  ...{ sdk_options_enabled: true, default_postback_url: 'https://app.example/back' },
  rate_limits: { reads_per_second: 1000, writes_per_second: 1000 },
});
const PAYING_ACCOUNT = bankAccountOf(BANK_ACCOUNT, INVESTOR);
const PROFILE: InvestorProfileFacts = { id: INVESTOR, contacts: CONTACTS };

const INVESTMENT_ACCOUNT: InvestmentAccountFacts = {
  id: ACCOUNT,
  old_id: 1,
  primary_investor: INVESTOR,
  contacts: CONTACTS,
  payout_bank_account_id: BANK_ACCOUNT,
};
