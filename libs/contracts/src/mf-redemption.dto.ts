import { z } from 'zod';
import { decimal, rupees } from './decimal.ts';
import { fundUnits } from './fund-units.ts';
import { planIdInput, prefixedId } from './ids.ts';
import {
  atLeastOne,
  batchOf,
  eachOnce,
  folioNumber,
  ofOneAccount,
  orderChange,
  orderFilters,
  orderHead,
  orderInput,
  orderMiddle,
  orderOptions,
  orderTail,
  withoutEffect,
} from './mf-order.dto.ts';
import { listSchema, sizedQuery } from './page-size.ts';
import { businessDate, timestamp } from './time.ts';

const REDEMPTION_TYPES = ['amount', 'units', 'all'] as const;

/**
 * A redemption order as GET returns it and as every `mf_redemption.*` event carries it (ORD-14). An installment of a plan
 * has `plan` and `installment_number`. Amounts in rupees.
 */
export const mfRedemption = z
  .strictObject({
    object: z.literal('mf_redemption'),
    id: prefixedId('redemption'),
    ...orderHead,
    /** What is redeemed: an `amount`, a number of `units`, or `all` units of the scheme in the folio. */
    type: z.enum(REDEMPTION_TYPES),
    amount: decimal.nullable(),
    ...orderMiddle,
    redeemed_units: decimal.nullable(),
    redeemed_amount: decimal.nullable(),
    redeemed_price: decimal.nullable(),
    /** The last day on which the proceeds are in time, by the policy `redemption_payout` (ORD-37). Older events lack it, and the two below. */
    payout_due_date: businessDate.nullable().default(null),
    /** When the proceeds were paid, and the bank's reference of that (UTR), where the gateway reports it. */
    paid_out_at: timestamp.nullable().default(null),
    payout_reference: z.string().nullable().default(null),
    ...orderTail,
  })
  .meta({ id: 'MfRedemption' });
export type MfRedemptionDto = z.infer<typeof mfRedemption>;

const redemptionInput = {
  ...orderInput,
  amount: rupees.nullish(),
  units: fundUnits.nullish(),
  folio_number: folioNumber,
  redemption_mode: withoutEffect(z.literal('normal')),
  ...orderOptions,
};

function notBoth(
  { amount, units }: { amount?: unknown; units?: unknown },
  context: z.core.$RefinementCtx,
): void {
  const both = amount !== undefined && amount !== null && units !== undefined && units !== null;
  if (both)
    context.addIssue({ code: 'custom', path: ['units'], message: 'must not be sent together with amount' });
}

/** One redemption of a batch: an amount, units, or neither to redeem all. */
const createMfRedemption = z
  .strictObject(redemptionInput)
  .superRefine(notBoth)
  .meta({ id: 'CreateMfRedemption' });
export type CreateMfRedemption = z.output<typeof createMfRedemption>;

// A body without `plan` means the other choice of the union: the `SchemaPipe` knows that from an `invalid_value` without values.
const planOfInstallment = z
  .unknown()
  .transform((value, context) => {
    if (value !== undefined) return value;
    context.issues.push({ code: 'invalid_value', values: [], message: 'is required', input: value });
    return z.NEVER;
  })
  .pipe(planIdInput)
  .meta({ type: 'string', examples: ['mfr_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b'] });

/** Generates the next installment of a plan with `auto_generate_installments: false` (ORD-5): only `{ plan }`. */
export const createInstallment = z
  .strictObject({ plan: planOfInstallment })
  .meta({ id: 'CreateInstallment' });
export type CreateInstallment = z.output<typeof createInstallment>;

/**
 * Body of `POST /v2/mf_redemptions`: a plan's next installment, if `plan` is there, or a redemption. `plan` with other fields is one
 * error, not one for each of them.
 */
export const createRedemptionOrInstallment = z.preprocess(
  (body, context) => {
    const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
    if (!fields.includes('plan') || fields.length === 1) return body;
    const message = 'must be the only field: an installment has everything else from its plan';
    context.addIssue({ code: 'custom', path: ['plan'], message });
    return z.NEVER;
  },
  z.union([createInstallment, createMfRedemption]).meta({ id: 'CreateRedemptionOrInstallment' }),
);
export type CreateRedemptionOrInstallment = z.output<typeof createRedemptionOrInstallment>;

/** Body of `PATCH /v2/mf_redemptions`: consent, the state `confirmed`, or both. */
export const patchMfRedemption = z
  .strictObject({ id: prefixedId('redemption'), ...orderChange })
  .superRefine(atLeastOne)
  .meta({ id: 'PatchMfRedemption' });
export type PatchMfRedemption = z.output<typeof patchMfRedemption>;

/** Body of `PATCH /v2/mf_redemptions/:id`; an `id` in it must be the path's. */
export const patchOneMfRedemption = z
  .strictObject({ id: prefixedId('redemption').optional(), ...orderChange })
  .superRefine(atLeastOne)
  .meta({ id: 'PatchOneMfRedemption' });
export type PatchOneMfRedemption = z.output<typeof patchOneMfRedemption>;

/** Body of `POST /v2/mf_redemptions/batch`: up to 10 orders of one account, all or nothing. */
export const createMfRedemptions = z
  .strictObject({ mf_redemptions: batchOf(createMfRedemption) })
  .superRefine(ofOneAccount('mf_redemptions'))
  .meta({ id: 'CreateMfRedemptions' });

/** Body of `PATCH /v2/mf_redemptions/batch`: up to 10 orders of one account, all or nothing. */
export const patchMfRedemptions = z
  .strictObject({ mf_redemptions: batchOf(patchMfRedemption) })
  .superRefine(eachOnce('mf_redemptions'))
  .meta({ id: 'PatchMfRedemptions' });

/** Query of `GET /v2/mf_redemptions`. `plan` accepts both prefixes of a plan's id. */
export const listMfRedemptions = sizedQuery(
  'limit',
  z.strictObject({
    ...orderFilters,
    type: z.enum(REDEMPTION_TYPES).optional(),
    starting_after: prefixedId('redemption').optional(),
  }),
);
export type ListMfRedemptions = z.output<typeof listMfRedemptions>;

/** Answer of a list or a batch. */
export const mfRedemptionList = listSchema(mfRedemption).meta({ id: 'MfRedemptionList' });
