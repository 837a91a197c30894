import { z } from 'zod';
import { consent, consentInput } from './consent.ts';
import { decimal } from './decimal.ts';
import { integerId, planId, prefixedId } from './ids.ts';
import { mutualFundIsin } from './isin.ts';
import { commaList, listDirection } from './page-size.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** Order states, common to purchases and redemptions (ORD-14). */
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

/** The kinds of schemes that the rule about NAVs distinguishes (ORD-36). */
export const schemeCategory = z.enum(['liquid', 'overnight', 'other']);
export type SchemeCategory = z.infer<typeof schemeCategory>;

/** The first fields of an order's object; `object`, `id` and `type` differ by kind. */
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
  /** As the gateway's review reports it; null where it does not. Older events lack it, and the two below. */
  scheme_category: schemeCategory.nullable().default(null),
  /** The day whose NAV the order gets, by the policy `nav_cut_off` (ORD-36). Computed when the order is printed, and not stored. */
  expected_nav_date: businessDate.nullable().default(null),
  /** `funds_realised` once it is known when the money reached the scheme; before that `estimate`. */
  expected_nav_basis: z.enum(['estimate', 'funds_realised']).nullable().default(null),
};

/** The remaining fields, from the consent on. */
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

/** Who placed the order and how: the values of the upstream's mf_purchase object (ORD-8). */
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

/** Required fields of every order. */
export const orderInput = {
  mf_investment_account: prefixedId('investmentAccount'),
  scheme: mutualFundIsin,
};
/** A field that the upstream's requests have and that has no effect here: its value is checked and not stored (ORD-31, PLAN-3). */
export const withoutEffect = <S extends z.ZodType>(value: S) =>
  value.nullish().meta({ description: 'Accepted and checked, and not stored' });

/** Optional fields of an order. The service refuses a `scheduled_on` in the future; the schema does not know today's date. */
export const orderOptions = {
  gateway: z.literal('gatewaypoa').nullish(),
  user_ip: ipAddress.nullish(),
  server_ip: ipAddress.nullish(),
  euin: euin.nullish(),
  partner: plainText(100).nullish(),
  source_ref_id: plainText(100).nullish(),
  initiated_by: z.enum(INITIATED_BY).nullish(),
  initiated_via: z.enum(INITIATED_VIA).nullish(),
  scheduled_on: businessDate.nullish(),
};

/** The fields that a PATCH may change: the consent, and the state to `confirmed`. */
export const orderChange = {
  consent: consentInput.optional(),
  state: z.literal('confirmed', { error: 'can only be set to confirmed' }).optional(),
};

/** A request that changes nothing is refused; consent and state may be sent together (ORD-11, ORD-12). */
export function atLeastOne(
  value: { consent?: unknown; state?: unknown },
  context: z.core.$RefinementCtx,
): void {
  if (value.consent !== undefined || value.state !== undefined) return;
  context.addIssue({ code: 'custom', path: ['state'], message: 'is required when consent is not given' });
}

/** The most orders of one batch or one payment (ORD-2, PAY-2). */
const MOST_ORDERS_AT_ONCE = 10;

/** The orders in the body of a batch: 1 to 10. */
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
      context.addIssue({ code: 'custom', path: [list, index, 'id'], message: 'is listed more than once' });
    });
  };
}

/** A whole number in a query. */
export const wholeNumber = (least: number, most: number) =>
  z.codec(
    z.string().regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`),
    z.int().min(least).max(most),
    { decode: Number, encode: String },
  );

/** Filters of a list of orders, except `starting_after` and `type`. `states` is comma-separated; newest first by default (ORD-13). */
export const orderFilters = {
  mf_investment_account: prefixedId('investmentAccount').optional(),
  plan: plainText(100).transform(planId).optional(),
  /** The installments that the instruction skipped. */
  skip_instruction: prefixedId('skipInstruction').optional(),
  states: commaList(z.enum(MF_ORDER_STATES)).optional(),
  source_ref_id: plainText(100).optional(),
  /** `asc` lists the oldest first. */
  direction: listDirection.prefault('desc'),
  limit: wholeNumber(1, 100).default(100),
  /** The same as `limit`. */
  size: wholeNumber(1, 100).optional(),
};
/** The query of a list of orders of any kind. */
export type ListMfOrders = z.output<z.ZodObject<typeof orderFilters>> & {
  readonly type?: string | undefined;
  readonly starting_after?: string | undefined;
};
