import { z } from 'zod';
import { Decimal, readPositive } from './decimal.ts';
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

const mobileText = z
  .string()
  .regex(/^\+?\d{6,15}$/, 'must be 6 to 15 digits, with or without + and the dialling code');

const folioDefaults = z.strictObject({
  communication_email_address: emailAddress.nullish(),
  /** A plain string (INV-11). With `+` it begins with the dialling code; without, it is the national number. */
  communication_mobile_number: mobileText.nullish(),
  payout_bank_account: prefixedId('bankAccount').nullish(),
});

const IDENTITY_PROOFS = [
  'pan',
  'aadhaar',
  'aadhaar_number',
  'driving_licence',
  'driving_licence_number',
].concat(['passport', 'passport_number']);
/** Per cent. */
const WHOLE = Decimal.parse('100');
const nominee = (number: number) => ({
  [`nominee${number}`]: prefixedId('relatedParty').nullish(),
  // As an amount, also as a string (CONV-40).
  [`nominee${number}_allocation_percentage`]: z
    .unknown()
    .transform((share, context) => Number(readPositive(share, context, 4, WHOLE).toString()))
    .nullish(),
  [`nominee${number}_identity_proof_type`]: z.enum(IDENTITY_PROOFS).nullish(),
  [`nominee${number}_guardian_identity_proof_type`]: z.enum(IDENTITY_PROOFS).nullish(),
});

/** Folio defaults that only the upstream has. They are stored and answered, and have no effect (COMP-12). */
const furtherDefaults = {
  communication_address: prefixedId('address').nullish(),
  overseas_communication_address: prefixedId('address').nullish(),
  ...nominee(1),
  ...nominee(2),
  ...nominee(3),
  // There are no demat accounts here.
  demat_account: z.null().optional(),
  nominations_info_visibility: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'must be one lower-case word')
    .nullish(),
};
/** Their names. */
export const FURTHER_DEFAULTS: readonly string[] = Object.keys(furtherDefaults);

const upstreamDefaults = folioDefaults.extend({
  communication_email_address: z.union([prefixedId('emailAddress'), emailAddress]).nullish(),
  communication_mobile_number: z.union([prefixedId('phoneNumber'), mobileText]).nullish(),
  ...furtherDefaults,
});
/** The folio defaults of a request, with those that only a client of the upstream may send. */
export type FolioDefaultsInput = z.output<typeof folioDefaults> & Readonly<Record<string, unknown>>;

/** `POST /v2/mf_investment_accounts`. */
export const createMfInvestmentAccount = z
  .strictObject({
    primary_investor: prefixedId('investorProfile'),
    holding_pattern: z.enum(HOLDING_PATTERNS).default('single'),
    folio_defaults: folioDefaults.default({}),
  })
  .meta({ id: 'CreateMfInvestmentAccount' });
/** The same of a client of the upstream: contacts by their ids too, and its further folio defaults (COMP-12). */
export const createUpstreamAccount = createMfInvestmentAccount.extend({
  folio_defaults: upstreamDefaults.default({}),
});
export type CreateMfInvestmentAccountDto = z.output<typeof createMfInvestmentAccount>;

/** `PATCH /v2/mf_investment_accounts/:id`: an omitted folio default keeps its value, null clears it. */
export const changeMfInvestmentAccount = z
  .strictObject({ folio_defaults: folioDefaults })
  .meta({ id: 'ChangeMfInvestmentAccount' });
export const changeUpstreamAccount = z.strictObject({ folio_defaults: upstreamDefaults });
export type ChangeMfInvestmentAccountDto = z.output<typeof changeMfInvestmentAccount>;

/** `PATCH /v2/mf_investment_accounts`, the id in the body. */
export const changeMfInvestmentAccountById = z
  .strictObject({ id: prefixedId('investmentAccount'), folio_defaults: folioDefaults })
  .meta({ id: 'ChangeMfInvestmentAccountById' });
export const changeUpstreamAccountById = changeMfInvestmentAccountById.extend({
  folio_defaults: upstreamDefaults,
});
