import { z } from 'zod';
import { consent, consentInput } from './consent.ts';
import { decimal, rupees } from './decimal.ts';
import { integerId, prefixedId } from './ids.ts';
import { mutualFundIsin } from './isin.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** Order states, contract §2. */
export const MF_PURCHASE_STATES = [
  'under_review',
  'pending',
  'confirmed',
  'submitted',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const;

/** A purchase order as GET answers it and as every `mf_purchase.*` event carries it (contract §2). Amounts in rupees. */
export const mfPurchase = z
  .strictObject({
    object: z.literal('mf_purchase'),
    id: prefixedId('purchase'),
    old_id: integerId,
    mf_investment_account: prefixedId('investmentAccount'),
    scheme: z.string(),
    folio_number: z.string().nullable(),
    state: z.enum(MF_PURCHASE_STATES),
    /** `fresh` opens a folio, `additional` adds to one. */
    type: z.enum(['fresh', 'additional']),
    amount: decimal,
    units: decimal.nullable(),
    gateway: z.literal('gatewaypoa'),
    plan: z.string().nullable(),
    installment_number: z.int().nullable(),
    scheduled_on: businessDate.nullable(),
    traded_on: businessDate.nullable(),
    allotted_units: decimal.nullable(),
    purchased_amount: decimal.nullable(),
    purchased_price: decimal.nullable(),
    consent: consent.nullable(),
    payment_id: integerId.nullable(),
    order_reference: z.string().nullable(),
    failure_code: z.string().nullable(),
    source_ref_id: z.string().nullable(),
    user_ip: z.string().nullable(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    initiated_by: z.string().nullable(),
    initiated_via: z.string().nullable(),
    created_at: timestamp,
    review_completed_at: timestamp.nullable(),
    confirmed_at: timestamp.nullable(),
    submitted_at: timestamp.nullable(),
    succeeded_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    reversed_at: timestamp.nullable(),
  })
  .meta({ id: 'MfPurchase' });
export type MfPurchaseDto = z.infer<typeof mfPurchase>;

/** Who placed the order and how: the words of the upstream's mf_purchase object (contract §10 "Investors"). */
export const INITIATED_BY = ['investor', 'distributor', 'system'] as const;
export const INITIATED_VIA = [
  'web',
  'mobile_app',
  'mobile_app_android',
  'mobile_app_ios',
  'mobile_web',
  'mobile_web_android',
  'mobile_web_ios',
  'email',
] as const;

/** Registrars print folios as `91012345678` or `12345678/90`. */
const folioNumber = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z/ -]{0,29}$/, 'must be a folio number');
/** AMFI's employee number: E and six digits. */
const euin = z.string().regex(/^E\d{6}$/, 'must be an EUIN such as E123456');
const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' });

/** Body of `POST /v2/mf_purchases` (contract §2). `scheduled_on` in the future is refused by the service, which knows today. */
export const createMfPurchase = z
  .strictObject({
    mf_investment_account: prefixedId('investmentAccount'),
    scheme: mutualFundIsin,
    amount: rupees,
    folio_number: folioNumber.nullish(),
    gateway: z.literal('gatewaypoa').nullish(),
    user_ip: ipAddress.nullish(),
    euin: euin.nullish(),
    partner: plainText(100).nullish(),
    source_ref_id: plainText(100).nullish(),
    initiated_by: z.enum(INITIATED_BY).nullish(),
    initiated_via: z.enum(INITIATED_VIA).nullish(),
    scheduled_on: businessDate.nullish(),
  })
  .meta({ id: 'CreateMfPurchase' });
export type CreateMfPurchase = z.output<typeof createMfPurchase>;

const change = {
  consent: consentInput.optional(),
  state: z.literal('confirmed', { error: 'can only be set to confirmed' }).optional(),
};

/** Consent and state are two requests for a purchase (contract §2), and a request that changes nothing is a mistake. */
function exactlyOne(value: { consent?: unknown; state?: unknown }, context: z.core.$RefinementCtx): void {
  if ((value.consent === undefined) !== (value.state === undefined)) return;
  const message =
    value.consent === undefined
      ? 'is required when consent is not given'
      : 'cannot come together with consent';
  context.addIssue({ code: 'custom', path: ['state'], message });
}

/** Body of `PATCH /v2/mf_purchases`: consent, or the state `confirmed`. */
export const patchMfPurchase = z
  .strictObject({ id: prefixedId('purchase'), ...change })
  .superRefine(exactlyOne)
  .meta({ id: 'PatchMfPurchase' });
export type PatchMfPurchase = z.output<typeof patchMfPurchase>;

/** Body of `PATCH /v2/mf_purchases/:id`; an `id` in it must be the path's. */
export const patchOneMfPurchase = z
  .strictObject({ id: prefixedId('purchase').optional(), ...change })
  .superRefine(exactlyOne)
  .meta({ id: 'PatchOneMfPurchase' });
export type PatchOneMfPurchase = z.output<typeof patchOneMfPurchase>;

/** The most orders of one batch or one payment (contract §2, §3). */
export const MOST_ORDERS_AT_ONCE = 10;

/** Body of `POST /v2/mf_purchases/batch`: up to 10 of one account, all or nothing. */
export const createMfPurchases = z
  .strictObject({ mf_purchases: z.array(createMfPurchase).min(1).max(MOST_ORDERS_AT_ONCE) })
  .superRefine((value, context) => {
    value.mf_purchases.forEach(({ mf_investment_account }, index) => {
      if (mf_investment_account === value.mf_purchases[0]?.mf_investment_account) return;
      const path = ['mf_purchases', index, 'mf_investment_account'];
      context.addIssue({ code: 'custom', path, message: 'must be the same for the whole batch' });
    });
  })
  .meta({ id: 'CreateMfPurchases' });

/** Body of `PATCH /v2/mf_purchases/batch`: up to 10 of one account, all or nothing. */
export const patchMfPurchases = z
  .strictObject({ mf_purchases: z.array(patchMfPurchase).min(1).max(MOST_ORDERS_AT_ONCE) })
  .superRefine((value, context) => {
    const ids = value.mf_purchases.map(({ id }) => id);
    ids.forEach((id, index) => {
      if (ids.indexOf(id) === index) return;
      context.addIssue({
        code: 'custom',
        path: ['mf_purchases', index, 'id'],
        message: 'is in the batch twice',
      });
    });
  })
  .meta({ id: 'PatchMfPurchases' });

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least).max(most));

/** Query of `GET /v2/mf_purchases`. `states` is comma-separated; the list is newest first (contract §0, §2). */
export const listMfPurchases = z.strictObject({
  mf_investment_account: prefixedId('investmentAccount').optional(),
  plan: plainText(100).optional(),
  states: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(MF_PURCHASE_STATES)).min(1))
    .optional(),
  source_ref_id: plainText(100).optional(),
  limit: wholeNumber(1, 100).default(100),
  starting_after: prefixedId('purchase').optional(),
});
export type ListMfPurchases = z.output<typeof listMfPurchases>;

/** Answer of a list or a batch. */
export const mfPurchaseList = z
  .strictObject({ object: z.literal('list'), data: z.array(mfPurchase) })
  .meta({ id: 'MfPurchaseList' });
