import type {
  BankAccountFacts,
  InvestmentAccountFacts,
  InvestorProfileFacts,
  TenantFacts,
} from '@fundrail/contracts';
import { stringifyJson } from '@fundrail/contracts';
import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import type { TransportAnswer } from '@fundrail/service-kit/http';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

export const INVESTOR = `invp_${'a'.repeat(32)}` as const;
export const ACCOUNT = `mfia_${'b'.repeat(32)}` as const;
const BANK_ACCOUNT = 7;
const KEY_ID = 'model';
/** Lifetimes of a client's token from identity and of a service's token, in seconds. */
const LIFETIMES = { client: 1_800, service: 300 } as const;
const CONTACTS = { email: 'investor@example.com', isd_code: '91', mobile: '9876543210' };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Identity, as other services see it: one investor of tenant `demo` with one bank account. */
export class PlayedIdentity {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** The `Authorization` header of a client, issued at `now` by the issuer that services read from `PUBLIC_BASE_URL`. */
  client(now: Date, iss: string): string {
    const iat = Math.floor(now.getTime() / 1000);
    const whose = { iss, aud: 'fundrail', sub: 'demo', tenant: 'demo', scope: 'admin' };
    return `Bearer ${this.signed({ ...whose, iat, exp: iat + LIFETIMES.client })}`;
  }

  answer(path: string): TransportAnswer {
    const body = this.bodyOf(path);
    return { status: 200, body: stringifyJson(body) };
  }

  private bodyOf(path: string): object {
    if (path === '/.well-known/jwks.json')
      return { keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256' }] };
    if (path.startsWith('/internal/tenants/')) return TENANT;
    if (path.startsWith('/internal/bank_accounts/')) return PAYING_ACCOUNT;
    if (path.startsWith('/internal/investor_profiles/')) return PROFILE;
    if (path.startsWith('/internal/mf_investment_accounts/')) return INVESTMENT_ACCOUNT;
    throw new Error(`unexpected call of identity: ${path}`);
  }

  private signed(claims: object): string {
    const text = `${encode({ alg: 'ES256', kid: KEY_ID, typ: 'at+jwt' })}.${encode(claims)}`;
    const key = { key: this.keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }
}

/** The `Authorization` header of another service, here orders. */
export function neighbourToken(): string {
  const iat = Math.floor(Date.now() / 1000);
  const life = { iat, exp: iat + LIFETIMES.service };
  const claims = { iss: 'fundrail', aud: 'fundrail:internal', sub: 'orders', ...life };
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  const secret = SANDBOX_SECRETS.SERVICE_TOKEN_SECRET;
  return `Bearer ${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const TENANT: TenantFacts = {
  name: 'demo',
  settings: {
    sdk_options_enabled: true,
    upi_collect_enabled: true,
    payment_provider: 'GATEWAYPOA',
    default_postback_url: 'https://app.example/back',
    operator_name: 'Operator',
    verify_endpoints: false,
    rate_limits: { reads_per_second: 1000, writes_per_second: 1000 },
    simulator: { hold_transfer: false, hold_review: false, hold_registrar: false },
  },
  postback_secret: 'a secret',
};

const PAYING_ACCOUNT: BankAccountFacts = {
  id: `bac_${'7'.repeat(32)}`,
  old_id: BANK_ACCOUNT,
  profile: INVESTOR,
  primary_account_holder_name: 'A Investor',
  account_number: '001122334455',
  type: 'savings',
  ifsc_code: 'HDFC0000001',
  bank_code: 'HDFC',
};

const PROFILE: InvestorProfileFacts = { id: INVESTOR, contacts: CONTACTS };

const INVESTMENT_ACCOUNT: InvestmentAccountFacts = {
  id: ACCOUNT,
  old_id: 1,
  primary_investor: INVESTOR,
  contacts: CONTACTS,
  payout_bank_account_id: BANK_ACCOUNT,
};
