import { z } from 'zod';
import { BANK_ACCOUNT_TYPES } from '../bank-account.dto.ts';
import { integerId, prefixedId } from '../ids.ts';

/** `GET /internal/bank_accounts/:old_id?tenant=` (identity): what payments need to know of a bank account. */
export const bankAccountFacts = z.strictObject({
  id: prefixedId('bankAccount'),
  old_id: integerId,
  profile: prefixedId('investorProfile'),
  primary_account_holder_name: z.string(),
  account_number: z.string(),
  type: z.enum(BANK_ACCOUNT_TYPES),
  ifsc_code: z.string(),
  bank_code: z.string(),
});
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
  /** Consent is compared with these: `folio_defaults`, falling back to the profile's (contract §10 "Investors"). */
  contacts,
  payout_bank_account_id: integerId.nullable(),
});
export type InvestmentAccountFacts = z.infer<typeof investmentAccountFacts>;

/** `GET /internal/tenants/:name` (identity): the settings of contract §0.3 that other services act on. */
export const tenantFacts = z.strictObject({
  name: z.string(),
  settings: z.strictObject({
    sdk_options_enabled: z.boolean(),
    upi_collect_enabled: z.boolean(),
    payment_provider: z.enum(['GATEWAYPOA', 'SDKVENDOR']),
    default_postback_url: z.string().nullable(),
    operator_name: z.string(),
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
