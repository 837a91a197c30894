import { z } from 'zod';
import { integerId, prefixedId } from './ids.ts';
import { emailAddress } from './investor-profile.dto.ts';
import { timestamp } from './time.ts';

/** One holder is the only supported pattern (INV-10). */
const HOLDING_PATTERNS = ['single'] as const;

/** An investment account as GET returns it (INV-9). */
export const mfInvestmentAccount = z
  .strictObject({
    object: z.literal('mf_investment_account'),
    id: prefixedId('investmentAccount'),
    old_id: integerId,
    primary_investor: prefixedId('investorProfile'),
    holding_pattern: z.enum(HOLDING_PATTERNS),
    folio_defaults: z.strictObject({
      communication_email_address: z.string().nullable(),
      communication_mobile_number: z.string().nullable(),
      payout_bank_account: prefixedId('bankAccount').nullable(),
    }),
    created_at: timestamp,
  })
  .meta({ id: 'MfInvestmentAccount' });
export type MfInvestmentAccountDto = z.infer<typeof mfInvestmentAccount>;

const folioDefaults = z.strictObject({
  communication_email_address: emailAddress.nullish(),
  /** A plain string (INV-11). With `+` it begins with the dialling code; without, it is the national number. */
  communication_mobile_number: z
    .string()
    .regex(/^\+?\d{6,15}$/, 'must be 6 to 15 digits, with or without + and the dialling code')
    .nullish(),
  payout_bank_account: prefixedId('bankAccount').nullish(),
});

/** `POST /v2/mf_investment_accounts`. */
export const createMfInvestmentAccount = z
  .strictObject({
    primary_investor: prefixedId('investorProfile'),
    holding_pattern: z.enum(HOLDING_PATTERNS).default('single'),
    folio_defaults: folioDefaults.default({}),
  })
  .meta({ id: 'CreateMfInvestmentAccount' });
export type CreateMfInvestmentAccountDto = z.output<typeof createMfInvestmentAccount>;

/** `PATCH /v2/mf_investment_accounts/:id`: an omitted folio default keeps its value, null clears it. */
export const changeMfInvestmentAccount = z
  .strictObject({ folio_defaults: folioDefaults })
  .meta({ id: 'ChangeMfInvestmentAccount' });
export type ChangeMfInvestmentAccountDto = z.output<typeof changeMfInvestmentAccount>;

/** `PATCH /v2/mf_investment_accounts`, the id in the body. */
export const changeMfInvestmentAccountById = z
  .strictObject({ id: prefixedId('investmentAccount'), folio_defaults: folioDefaults })
  .meta({ id: 'ChangeMfInvestmentAccountById' });
