import { z } from 'zod';
import { decimal, rupees } from './decimal.ts';
import { prefixedId } from './ids.ts';
import {
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
} from './mf-order.dto.ts';
import { listSchema, sizedQuery } from './page-size.ts';
import { timestamp } from './time.ts';

const PURCHASE_TYPES = ['fresh', 'additional'] as const;

/** A purchase order as GET returns it and as every `mf_purchase.*` event carries it (ORD-14). Amounts in rupees. */
export const mfPurchase = z
  .strictObject({
    object: z.literal('mf_purchase'),
    id: prefixedId('purchase'),
    ...orderHead,
    /** `fresh` opens a folio, `additional` buys into an existing one. */
    type: z.enum(PURCHASE_TYPES),
    amount: decimal,
    ...orderMiddle,
    /** Until when an installment of a plan may be paid (SIP-13); null without a plan. Older events lack it. */
    payable_until: timestamp.nullable().default(null),
    allotted_units: decimal.nullable(),
    purchased_amount: decimal.nullable(),
    purchased_price: decimal.nullable(),
    ...orderTail,
    /** The purchase that a retry of this failed one created (ORD-34). Null in events, and in older ones missing. */
    retried_as: prefixedId('purchase').nullable().default(null),
  })
  .meta({ id: 'MfPurchase' });
export type MfPurchaseDto = z.infer<typeof mfPurchase>;

/** Body of `POST /v2/mf_purchases` (ORD-3). */
export const createMfPurchase = z
  .strictObject({
    ...orderInput,
    amount: rupees,
    folio_number: folioNumber.nullish(),
    ...orderOptions,
  })
  .meta({ id: 'CreateMfPurchase' });
export type CreateMfPurchase = z.output<typeof createMfPurchase>;

/** For a purchase, consent and state need two requests (ORD-11, ORD-12); a request that changes nothing is refused. */
function exactlyOne(value: { consent?: unknown; state?: unknown }, context: z.core.$RefinementCtx): void {
  if ((value.consent === undefined) !== (value.state === undefined)) return;
  const message =
    value.consent === undefined
      ? 'is required when consent is not given'
      : 'must not be sent together with consent';
  context.addIssue({ code: 'custom', path: ['state'], message });
}

/** Body of `PATCH /v2/mf_purchases`: consent, or the state `confirmed`. */
export const patchMfPurchase = z
  .strictObject({ id: prefixedId('purchase'), ...orderChange })
  .superRefine(exactlyOne)
  .meta({ id: 'PatchMfPurchase' });
export type PatchMfPurchase = z.output<typeof patchMfPurchase>;

/** Body of `PATCH /v2/mf_purchases/:id`; an `id` in it must be the path's. */
export const patchOneMfPurchase = z
  .strictObject({ id: prefixedId('purchase').optional(), ...orderChange })
  .superRefine(exactlyOne)
  .meta({ id: 'PatchOneMfPurchase' });
export type PatchOneMfPurchase = z.output<typeof patchOneMfPurchase>;

/** Body of `POST /v2/mf_purchases/batch`: up to 10 orders of one account, all or nothing. */
export const createMfPurchases = z
  .strictObject({ mf_purchases: batchOf(createMfPurchase) })
  .superRefine(ofOneAccount('mf_purchases'))
  .meta({ id: 'CreateMfPurchases' });

/** Body of `PATCH /v2/mf_purchases/batch`: up to 10 orders of one account, all or nothing. */
export const patchMfPurchases = z
  .strictObject({ mf_purchases: batchOf(patchMfPurchase) })
  .superRefine(eachOnce('mf_purchases'))
  .meta({ id: 'PatchMfPurchases' });

/** Query of `GET /v2/mf_purchases`. */
export const listMfPurchases = sizedQuery(
  'limit',
  z.strictObject({
    ...orderFilters,
    type: z.enum(PURCHASE_TYPES).optional(),
    starting_after: prefixedId('purchase').optional(),
  }),
);
export type ListMfPurchases = z.output<typeof listMfPurchases>;

/** Answer of a list or a batch. */
export const mfPurchaseList = listSchema(mfPurchase).meta({ id: 'MfPurchaseList' });
