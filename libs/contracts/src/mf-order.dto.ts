import { z } from 'zod';
import { consent, consentInput } from './consent.ts';
import { decimal } from './decimal.ts';
import { integerId, planId, prefixedId } from './ids.ts';
import { mutualFundIsin } from './isin.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** What purchases and redemptions have in common on the wire (contract §2). Order states. */
export const MF_ORDER_STATES = [
  'under_review',
  'pending',
  'confirmed',
  'submitted',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const;
export type MfOrderState = (typeof MF_ORDER_STATES)[number];

/** The fields of an order's object up to what the registrar says of it; `object`, `id` and `type` are the kind's own. */
export const orderHead = {
  old_id: integerId,
  mf_investment_account: prefixedId('investmentAccount'),
  scheme: z.string(),
  folio_number: z.string().nullable(),
  state: z.enum(MF_ORDER_STATES),
};

/** How much, by whom and when it was processed. Amounts in rupees. */
export const orderMiddle = {
  units: decimal.nullable(),
  gateway: z.literal('gatewaypoa'),
  plan: z.string().nullable(),
  installment_number: z.int().nullable(),
  scheduled_on: businessDate.nullable(),
  traded_on: businessDate.nullable(),
};

/** The rest, from the consent on. */
export const orderTail = {
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
};

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
export const folioNumber = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z/ -]{0,29}$/, 'must be a folio number');
/** AMFI's employee number: E and six digits. */
export const euin = z.string().regex(/^E\d{6}$/, 'must be an EUIN such as E123456');
export const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' });

/** What every order needs. */
export const orderInput = {
  mf_investment_account: prefixedId('investmentAccount'),
  scheme: mutualFundIsin,
};
/** What may come with an order. `scheduled_on` in the future is refused by the service, which knows today. */
export const orderOptions = {
  gateway: z.literal('gatewaypoa').nullish(),
  user_ip: ipAddress.nullish(),
  euin: euin.nullish(),
  partner: plainText(100).nullish(),
  source_ref_id: plainText(100).nullish(),
  initiated_by: z.enum(INITIATED_BY).nullish(),
  initiated_via: z.enum(INITIATED_VIA).nullish(),
  scheduled_on: businessDate.nullish(),
};

/** What a PATCH may change: the consent, and the state to `confirmed`. */
export const orderChange = {
  consent: consentInput.optional(),
  state: z.literal('confirmed', { error: 'can only be set to confirmed' }).optional(),
};

/** The most orders of one batch or one payment (contract §2, §3). */
export const MOST_ORDERS_AT_ONCE = 10;

/** The orders of a batch's body under `list`: 1 to 10 of them. */
export function batchOf<S extends z.ZodType>(order: S) {
  return z.array(order).min(1).max(MOST_ORDERS_AT_ONCE);
}

/** Refuses a batch whose orders are of several investment accounts. */
export function ofOneAccount<const L extends string>(list: L) {
  return (
    batch: Readonly<Record<L, readonly { readonly mf_investment_account: string }[]>>,
    context: z.core.$RefinementCtx,
  ): void => {
    batch[list].forEach(({ mf_investment_account }, index) => {
      if (mf_investment_account === batch[list][0]?.mf_investment_account) return;
      const path = [list, index, 'mf_investment_account'];
      context.addIssue({ code: 'custom', path, message: 'must be the same for the whole batch' });
    });
  };
}

/** Refuses a batch that names an order twice. */
export function eachOnce<const L extends string>(list: L) {
  return (
    batch: Readonly<Record<L, readonly { readonly id: string }[]>>,
    context: z.core.$RefinementCtx,
  ): void => {
    const ids = batch[list].map(({ id }) => id);
    ids.forEach((id, index) => {
      if (ids.indexOf(id) === index) return;
      context.addIssue({ code: 'custom', path: [list, index, 'id'], message: 'is in the batch twice' });
    });
  };
}

/** A whole number in a query. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least).max(most));

/** Filters of a list of orders, besides `starting_after`. `states` is comma-separated; newest first (contract §0, §2). */
export const orderFilters = {
  mf_investment_account: prefixedId('investmentAccount').optional(),
  plan: plainText(100).transform(planId).optional(),
  states: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(MF_ORDER_STATES)).min(1))
    .optional(),
  source_ref_id: plainText(100).optional(),
  limit: wholeNumber(1, 100).default(100),
};
/** A list's query, whatever its kind. */
export type ListMfOrders = z.output<z.ZodObject<typeof orderFilters>> & {
  readonly starting_after?: string | undefined;
};
