import { z } from 'zod';
import { bankAccount } from '../bank-account.dto.ts';
import { COMPATIBILITIES } from '../compatibility/names.ts';
import { integerId, prefixedId } from '../ids.ts';
import { PROVIDER_NAMES } from '../provider-facts.ts';
import { LOGO_TYPES, policyChoice, tenantLogo } from '../tenant.dto.ts';

/** `GET /internal/bank_accounts/:old_id?tenant=` (identity): what payments needs to know about a bank account. */
export const bankAccountFacts = bankAccount.omit({ object: true, bank_name: true, created_at: true });
export type BankAccountFacts = z.infer<typeof bankAccountFacts>;

/** How an investor is reached; the mobile number without its dialling code. */
const contacts = z.strictObject({
  email: z.string().nullable(),
  isd_code: z.string().nullable(),
  mobile: z.string().nullable(),
});

/** `GET /internal/investor_profiles/:id?tenant=` (identity): how the owner of a mandate's bank account is reached. */
export const investorProfileFacts = z.strictObject({ id: prefixedId('investorProfile'), contacts });
export type InvestorProfileFacts = z.infer<typeof investorProfileFacts>;

/** `GET /internal/mf_investment_accounts/:id?tenant=` (identity): the owner, the contacts that consent is compared with, the payout account. */
export const investmentAccountFacts = z.strictObject({
  id: prefixedId('investmentAccount'),
  old_id: integerId,
  primary_investor: prefixedId('investorProfile'),
  /** Consent is compared with these: `folio_defaults`, falling back to the profile's (INV-12). */
  contacts,
  payout_bank_account_id: integerId.nullable(),
});
export type InvestmentAccountFacts = z.infer<typeof investmentAccountFacts>;

/** Contacts as providers expect them: the mobile number has its dialling code; the default is India's. */
export function toContact({ email, isd_code, mobile }: InvestmentAccountFacts['contacts']): {
  readonly email: string | null;
  readonly mobile: string | null;
} {
  return { email, mobile: mobile && `+${(isd_code ?? '91').replace('+', '')}${mobile}` };
}

/** `GET /internal/tenants/:name` (identity): the settings of ADMIN-6 that other services act on. */
export const tenantFacts = z.strictObject({
  name: z.string(),
  settings: z.strictObject({
    sdk_options_enabled: z.boolean(),
    upi_collect_enabled: z.boolean(),
    payment_provider: z.enum(PROVIDER_NAMES),
    default_postback_url: z.string().nullable(),
    operator_name: z.string(),
    // The previous release of identity does not send it.
    verify_endpoints: z.boolean().default(false),
    /** The branding of the payment page; an older release of identity omits both. */
    display_name: z.string().nullish(),
    logo: tenantLogo.nullish(),
    /** What operators have chosen within policies; an older release of identity omits it. */
    policies: z.record(z.string(), policyChoice).default({}),
    /** Whose names clients receive (COMP-1); an older release of identity omits it. */
    compatibility: z.enum(COMPATIBILITIES).nullable().default(null),
    rate_limits: z.strictObject({
      reads_per_second: z.int().positive(),
      writes_per_second: z.int().positive(),
    }),
    simulator: z.strictObject({
      hold_transfer: z.boolean(),
      hold_review: z.boolean(),
      hold_registrar: z.boolean(),
    }),
  }),
  postback_secret: z.string(),
});
export type TenantFacts = z.infer<typeof tenantFacts>;

/** `GET /internal/tenants/:name/logo?sha256=` (identity): the tenant's logo, if that is the hash of its bytes. */
export const tenantLogoContent = z.strictObject({
  media_type: z.enum(LOGO_TYPES),
  /** The bytes, in base64. */
  content: z.base64(),
});
export type TenantLogoContent = z.infer<typeof tenantLogoContent>;
