import { z } from 'zod';
import type { FieldError } from './errors.ts';
import { integerId, prefixedId } from './ids.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/**
 * Residential status for Indian income tax. The upstream's guide "Create an investor profile (Individual)" shows
 * `resident_individual`, INV-2 adds `nri`; no published source gives further values.
 */
export const TAX_STATUSES = ['resident_individual', 'nri'] as const;

/** A person's name as registered with the bank or the PAN. */
export const personName = z
  .string()
  .trim()
  .pipe(plainText(120))
  .meta({ description: 'One line of at most 120 characters. Spaces around it are removed.' });

/**
 * A permanent account number: five letters, four digits, one letter. Accepted in any case, as upstream does, and stored in
 * upper case. The fourth letter (the kind of holder) is not checked: no rule limits who may invest.
 */
export const pan = z
  .string()
  .regex(/^[A-Za-z]{5}\d{4}[A-Za-z]$/, 'must be a PAN: five letters, four digits, one letter')
  .transform((text) => text.toUpperCase());

/** Of an Aadhaar number only its last four digits are accepted. */
export const lastFourOfAadhaar = z.string().regex(/^\d{4}$/, 'must be the last four digits');

/** A dialling code with or without `+`, stored without. */
export const diallingCode = z
  .string()
  .regex(/^\+?[1-9]\d{0,3}$/, 'must be a dialling code such as 91')
  .transform((text) => text.replace('+', ''));

/** A phone number without its dialling code. */
export const localNumber = z.string().regex(/^\d{6,15}$/, 'must be 6 to 15 digits');

/** A mobile number, split as on the wire; `isd_code` is the dialling code, such as `91`. */
const mobileNumber = z.strictObject({ isd_code: diallingCode, number: localNumber });

export const emailAddress = z.email().max(254);

/** An investor as GET returns it (INV-1). */
export const investorProfile = z
  .strictObject({
    object: z.literal('investor_profile'),
    id: prefixedId('investorProfile'),
    old_id: integerId,
    name: z.string(),
    pan: z.string(),
    date_of_birth: businessDate,
    email: z.string().nullable(),
    mobile: z.strictObject({ isd_code: z.string(), number: z.string() }).nullable(),
    tax_status: z.enum(TAX_STATUSES),
    created_at: timestamp,
    /** Its personal fields are overwritten (INV-18). Absent before. */
    erased: z.literal(true).optional(),
  })
  .meta({ id: 'InvestorProfile' });
export type InvestorProfileDto = z.infer<typeof investorProfile>;

/** `POST /v2/investor_profiles`. */
export const createInvestorProfile = z
  .strictObject({
    name: personName,
    pan,
    date_of_birth: businessDate,
    email: emailAddress.nullish(),
    mobile: mobileNumber.nullish(),
    tax_status: z.enum(TAX_STATUSES).default('resident_individual'),
  })
  .meta({ id: 'CreateInvestorProfile' });
export type CreateInvestorProfileDto = z.output<typeof createInvestorProfile>;

const ignored = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, z.unknown().optional()] as const));
const noGuardian = z.null('must be null: the investor is a person who acts without a guardian').optional();
const residency = z.looseObject({ country: z.string() }).nullish();
/**
 * Fields of a profile that only the upstream has and that nothing here keeps (COMP-15). What says who the investor is, in other words than
 * are taken, is refused and never ignored: its orders would be those of another.
 */
const furtherFields = {
  ...ignored('gender', 'marital_status', 'occupation', 'employer', 'income_slab', 'source_of_wealth'),
  pep_details: z
    .literal('not_applicable', 'must be not_applicable: politically exposed persons are not taken')
    .nullish(),
  ...ignored('father_name', 'mother_name', 'spouse_name'),
  aadhaar_number: lastFourOfAadhaar.nullish(),
  ...ignored('signature', 'ip_address'),
  guardian_name: noGuardian,
  guardian_date_of_birth: noGuardian,
  guardian_pan: noGuardian,
  ...ignored('country_of_birth', 'place_of_birth', 'nationality_country', 'citizenship_countries'),
  first_tax_residency: residency,
  second_tax_residency: residency,
  third_tax_residency: residency,
  fourth_tax_residency: residency,
};
/** The same as its clients are answered: none is kept. */
export const FURTHER_PROFILE_FIELDS: Readonly<Record<string, string | null>> = {
  type: 'individual',
  ...Object.fromEntries(Object.keys(furtherFields).map((name) => [name, null])),
};
const sentFields = {
  type: z.literal('individual').nullish(),
  ...ignored('use_default_tax_residences'),
  ...furtherFields,
};

const RESIDENCIES = [
  'first_tax_residency',
  'second_tax_residency',
  'third_tax_residency',
  'fourth_tax_residency',
] as const;
/** The tax residencies of a request, which only a client of the upstream can send. */
type SentResidencies = Partial<Pick<z.output<z.ZodObject<typeof sentFields>>, (typeof RESIDENCIES)[number]>>;

/** What is wrong with the tax residencies of an investor of that status: a resident pays tax in India, a non-resident (`nri`) elsewhere. */
export function residencyFaults(tax_status: string, sent: SentResidencies): FieldError[] {
  if (tax_status === 'nri') return [];
  const message = 'must be IN of a resident: create the profile with tax_status nri';
  const foreign = RESIDENCIES.filter((field) => (sent[field]?.country ?? 'IN').toUpperCase() !== 'IN');
  return foreign.map((field) => ({ field: `${field}.country`, message }));
}

/** The same of a client of the upstream: with the fields of its profiles. */
export const createUpstreamProfile = createInvestorProfile
  .extend(sentFields)
  .superRefine(({ tax_status, ...profile }, context) => {
    for (const { field, message } of residencyFaults(tax_status, profile))
      context.addIssue({ code: 'custom', path: field.split('.'), message });
  });

const contactChanges = { email: emailAddress.nullish(), mobile: mobileNumber.nullish() };

/** `PATCH /v2/investor_profiles/:id`: e-mail and mobile are all that can change (INV-3). */
export const changeInvestorProfile = z.strictObject(contactChanges).meta({ id: 'ChangeInvestorProfile' });
export type ChangeInvestorProfileDto = z.output<typeof changeInvestorProfile> & SentResidencies;

/** `PATCH /v2/investor_profiles`, the id in the body. */
export const changeInvestorProfileById = z
  .strictObject({ id: prefixedId('investorProfile'), ...contactChanges })
  .meta({ id: 'ChangeInvestorProfileById' });

/** The same two of a client of the upstream. Its tax residencies are judged by the investor's `tax_status`. */
export const changeUpstreamProfile = changeInvestorProfile.extend(sentFields);
export const changeUpstreamProfileById = changeInvestorProfileById.extend(sentFields);
