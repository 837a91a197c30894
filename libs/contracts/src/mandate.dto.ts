import { z } from 'zod';
import { decimal, rupees } from './decimal.ts';
import { integerId, integerIdOf, prefixedId } from './ids.ts';
import { PROVIDER_NAMES } from './provider-facts.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** Mandate states, MAN-6. */
export const MANDATE_STATUSES = [
  'CREATED',
  'RECEIVED',
  'SUBMITTED',
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'CANCELLED',
  'EXPIRED',
] as const;
export const MANDATE_TYPES = ['UPI', 'E_MANDATE'] as const;
export type MandateType = (typeof MANDATE_TYPES)[number];

const LONGEST_SOURCE_REF = 100;

/** A mandate as GET returns it and as every `mandate.*` event carries it (MAN-5). */
export const mandate = z
  .strictObject({
    id: integerId,
    // Events written before this field existed are read with the default.
    object: z.literal('mandate').default('mandate'),
    bank_account_id: integerId,
    mandate_ref: prefixedId('mandate'),
    mandate_token: z.string().nullable(),
    mandate_type: z.enum(MANDATE_TYPES),
    mandate_status: z.enum(MANDATE_STATUSES),
    mandate_limit: decimal,
    valid_from: businessDate,
    valid_to: businessDate,
    umrn: z.string().nullable(),
    provider_id: z.string().nullable(),
    provider_name: z.enum(PROVIDER_NAMES),
    rejected_reason: z.string().nullable(),
    created_at: timestamp,
    received_at: timestamp.nullable(),
    submitted_at: timestamp.nullable(),
    approved_at: timestamp.nullable(),
    rejected_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    paused_at: timestamp.nullable(),
    expired_at: timestamp.nullable(),
    source_ref_id: z.string().nullable(),
  })
  .meta({ id: 'Mandate' });
export type MandateDto = z.infer<typeof mandate>;

/** `POST /api/pg/mandates`. `upi` means `UPI` (MAN-2). */
export const createMandate = z
  .strictObject({
    mandate_type: z
      .enum(['upi', ...MANDATE_TYPES])
      .transform((type): MandateType => (type === 'upi' ? 'UPI' : type)),
    bank_account_id: integerIdOf('old_id', 'bankAccount'),
    /** Default: the one provider that takes the type, or the tenant's own (MAN-25). */
    provider_name: z.enum(PROVIDER_NAMES).nullish(),
    /** The most that one debit may take, in rupees. */
    mandate_limit: rupees,
    /** IST; today by default. */
    valid_from: businessDate.nullish(),
    /** IST, inclusive. The policy `mandate_validity` has the longest validity, which is also the default (MAN-4). */
    valid_to: businessDate.nullish(),
    source_ref_id: plainText(LONGEST_SOURCE_REF).nullish(),
  })
  .meta({ id: 'CreateMandate' });
export type CreateMandateRequest = z.output<typeof createMandate>;

/** Response of creating a mandate (MAN-1). */
export const createdMandate = z
  .strictObject({ id: integerId, mandate_ref: prefixedId('mandate') })
  .meta({ id: 'CreatedMandate' });
export type CreatedMandateDto = z.infer<typeof createdMandate>;

/** Response of a cancellation: the mandate, and the payments whose debit was already sent to the bank (MAN-10). */
export const cancelledMandate = z
  .strictObject({ ...mandate.shape, debits_in_flight: z.array(integerId) })
  .meta({ id: 'CancelledMandate' });
export type CancelledMandateDto = z.infer<typeof cancelledMandate>;

/** `11,12,13` in a query (CONV-15). */
const bankAccountIdList = z
  .string()
  .max(400)
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'must be bank account ids, separated by commas')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(integerId).max(20));

/** Filters of `GET /api/pg/mandates`. */
export const mandateFilters = {
  bank_account_id: bankAccountIdList.optional(),
  source_ref_id: plainText(LONGEST_SOURCE_REF).optional(),
};
export type MandateFilters = z.output<z.ZodObject<typeof mandateFilters>>;
