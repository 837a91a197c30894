import { Decimal, schemeCategory } from '@fundrail/contracts';
import { z } from 'zod';
import { LONGEST_ID } from '../callback-json.ts';
import {
  authorisationObject,
  debitObject,
  mandateObject,
  refusedNotice,
  registered,
} from './mandate-wire.ts';
import { failed, planObject, review } from './plan-wire.ts';

export * from './mandate-wire.ts';
export * from './plan-wire.ts';

/**
 * Requests and answers of gatewaypoa (JSON over HTTP). Amounts are whole paise, units and NAVs are decimal text.
 * Plain `z.object`: unknown fields are ignored, because providers may add fields at any time. An unknown word in an enumeration
 * fails the parse, and the answer is then "not understood", never a guess.
 */
const paise = z.int().nonnegative();

const decimalText = z.string().transform((text, context): Decimal => {
  try {
    return Decimal.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'must be a decimal as text', input: text });
    return z.NEVER;
  }
});

/** The body of `POST /orders/review` and `POST /orders/submit`. */
export const orderRequest = z.object({
  reference: z.string().min(1).max(64),
  tenant: z.string().min(1),
  old_id: z.int().positive(),
  kind: z.enum(['purchase', 'redemption']),
  investment_account: z.string(),
  scheme: z.string(),
  folio_number: z.string().nullable(),
  amount_paise: paise.nullable(),
  units: decimalText.nullable(),
  euin: z.string().nullable(),
  /** Omitted by callers without collected redemptions. */
  collected: z.boolean().default(false),
});
export type OrderRequestWire = z.input<typeof orderRequest>;
export type OrderRequest = z.output<typeof orderRequest>;

const submission = z.discriminatedUnion('status', [
  z.object({ status: z.literal('none') }),
  z.object({ status: z.literal('accepted'), order_reference: z.string().min(1) }),
  z.object({ status: z.literal('refused'), failure_code: failed }),
]);
const outcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('processing') }),
  z.object({
    status: z.literal('processed'),
    traded_on: z.iso.date(),
    units: decimalText,
    amount_paise: paise,
    nav: decimalText,
    folio_number: z.string().min(1),
    is_overseas: z.boolean().optional(),
  }),
  z.object({ status: z.literal('rejected'), failure_code: failed }),
  z.object({ status: z.literal('reversed'), failure_code: failed }),
]);

/** The payout of a redemption. */
const payout = z.object({ paid_at: z.iso.datetime({ offset: true }), utr: z.string().min(1).max(64) });

/** An order as gatewaypoa returns it and sends it in callbacks: its three steps, since its review the category of its scheme, and its payout. */
export const orderObject = z.object({
  ...{ reference: z.string(), review, submission, outcome },
  scheme_category: schemeCategory.nullish(),
  payout: payout.nullish(),
});
export type OrderObjectWire = z.input<typeof orderObject>;
export type OrderObject = z.output<typeof orderObject>;

/** The body of `POST /payments`. */
export const paymentRequest = z.object({
  reference: z.string().regex(/^[A-Za-z0-9]{1,35}$/),
  payment_id: z.int().positive(),
  tenant: z.string().min(1),
  amount_paise: paise.min(1),
  currency: z.literal('INR'),
  /** The name that the payer sees; default: the account's own. */
  payee_name: z.string().min(1).max(99).optional(),
  payer: z.object({ account_number: z.string(), ifsc_code: z.string(), name: z.string() }).nullable(),
  expires_at: z.iso.datetime({ offset: true }),
});
export type PaymentRequest = z.output<typeof paymentRequest>;

/** The body of `POST /payments/collect`: the same payment, requested from a payer's VPA. */
export const collectRequest = paymentRequest.extend({ vpa: z.string().min(3).max(255) });
export type CollectRequest = z.output<typeof collectRequest>;

const captured = z.object({
  provider_reference: z.string().min(1),
  amount_paise: paise,
  currency: z.string(),
});

/** A payment as gatewaypoa returns it; `amount_paise` and `currency` are those actually received. */
export const paymentObject = z.discriminatedUnion('status', [
  registered.extend({ status: z.literal('awaiting_payer') }),
  registered.extend({
    status: z.literal('captured'),
    ...captured.shape,
    /** Further captures of the same payment, in their order. Omitted when there is none. */
    others: z.array(captured).optional(),
    /** True when another account than the payer's paid. */
    third_party: z.boolean().optional(),
  }),
  registered.extend({
    status: z.literal('declined'),
    failure_code: failed,
    failure_message: z.string().nullable(),
  }),
  registered.extend({ status: z.literal('expired') }),
  registered.extend({ status: z.literal('cancelled') }),
]);
export type PaymentObject = z.output<typeof paymentObject>;

/** The body of `POST /transfers`: the money of one payment, split into its orders' shares. */
export const transferRequest = z.object({
  reference: z.string().regex(/^[A-Za-z0-9]{1,35}$/),
  payment_reference: z.string(),
  shares: z
    .array(z.object({ order: z.string(), old_id: z.int().positive(), amount_paise: paise.min(1) }))
    .min(1),
});
export type TransferRequest = z.output<typeof transferRequest>;

export const transferObject = z.discriminatedUnion('status', [
  z.object({ reference: z.string(), status: z.literal('processing') }),
  z.object({ reference: z.string(), status: z.literal('settled') }),
  z.object({ reference: z.string(), status: z.literal('rejected'), failure_code: failed }),
]);
export type TransferObject = z.output<typeof transferObject>;

/** The body of `POST /refunds`. */
export const refundRequest = z.object({
  reference: z.string().regex(/^[A-Za-z0-9]{1,35}$/),
  payment_reference: z.string(),
  amount_paise: paise.min(1),
});
export type RefundRequest = z.output<typeof refundRequest>;

export const refundObject = z.discriminatedUnion('status', [
  z.object({ reference: z.string(), status: z.literal('processing') }),
  z.object({ reference: z.string(), status: z.literal('processed') }),
  z.object({ reference: z.string(), status: z.literal('failed'), failure_code: failed }),
]);
export type RefundObject = z.output<typeof refundObject>;

/** The query of gatewaypoa's lists: ISO 8601 with offset, both inclusive, and the reference after which the page begins. */
export const bookQuery = z.object({
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  after: z.string().default(''),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});
export type BookQueryWire = z.output<typeof bookQuery>;

const book = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), next: z.string().nullable() });
export const orderBook = book(orderObject.extend({ amount_paise: paise.nullable() }));
/** Payments and debits; authorisations take no money. */
export const paymentBook = book(paymentObject);
export const transferBook = book(
  z.object({
    reference: z.string(),
    payment_reference: z.string(),
    amount_paise: paise,
    transfer: transferObject,
  }),
);
export const refundBook = book(
  z.object({ reference: z.string(), amount_paise: paise, refund: refundObject }),
);

/** The body of a definite refusal (422) and of every other error answer. */
export const refusal = z.object({ code: z.string().min(1), message: z.string() });
export type Refusal = z.output<typeof refusal>;

/** The fields of every callback; the others are read only when they are understood. */
export const callbackHead = z.object({
  event_id: z.string().min(1).max(100),
  event: z.string(),
  reference: z.string().min(1).max(LONGEST_ID),
});
export const orderCallbackBody = callbackHead.extend({
  event: z.literal('order.updated'),
  order: orderObject,
});
export const paymentCallbackBody = z.discriminatedUnion('event', [
  callbackHead.extend({ event: z.literal('payment.updated'), payment: paymentObject }),
  callbackHead.extend({ event: z.literal('transfer.updated'), transfer: transferObject }),
  callbackHead.extend({ event: z.literal('refund.updated'), refund: refundObject }),
  callbackHead.extend({ event: z.literal('authorisation.updated'), authorisation: authorisationObject }),
  callbackHead.extend({ event: z.literal('debit.updated'), debit: debitObject }),
  callbackHead.extend({ event: z.literal('notice.updated'), notice: refusedNotice }),
]);
/** The body of /callbacks/gatewaypoa/mandates; its `reference` is the mandate's token. */
export const mandateCallbackBody = callbackHead.extend({
  event: z.literal('mandate.updated'),
  mandate: mandateObject,
});
/** The body of /callbacks/gatewaypoa/plans. */
export const planCallbackBody = callbackHead.extend({ event: z.literal('plan.updated'), plan: planObject });
