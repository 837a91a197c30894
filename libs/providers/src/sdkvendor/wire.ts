import { z } from 'zod';
import { LONGEST_ID } from '../callback-json.ts';
import {
  notes,
  notification,
  notificationEntity,
  notificationRequest,
  tokenRequest,
} from './mandate-wire.ts';

export * from './mandate-wire.ts';

/**
 * Requests and answers of sdkvendor: Razorpay's REST interface, version 1 (https://razorpay.com/docs/api, read in
 * November 2026), as far as this product uses it. Amounts are whole paise, times are seconds since 1970. Plain `z.object`:
 * unknown fields are ignored; an unknown word in an enumeration fails the parse, and the answer is then "not understood", never
 * a guess.
 */
const paise = z.int().nonnegative();
const seconds = z.int().nonnegative();

export const order = z.object({
  id: z.string().min(1),
  amount: paise,
  currency: z.string(),
  receipt: z.string().nullable(),
  status: z.enum(['created', 'attempted', 'paid']),
  notes: notes.nullish(),
  /** To the investor, before a debit. */
  notification: notification.nullish(),
  created_at: seconds,
});
export type Order = z.output<typeof order>;

/** An attempt to pay an order. `amount` is the received money once it is captured. */
export const payment = z.object({
  id: z.string().min(1),
  order_id: z.string().nullable(),
  amount: paise,
  amount_refunded: paise.nullish(),
  currency: z.string(),
  /** False for money that was authorised, never captured, and refunded by Razorpay. */
  captured: z.boolean().nullish(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  /** `upi`, `netbanking`, `card` and others. */
  method: z.string().nullish(),
  /** The mandate that a payment authorises or debits. */
  token_id: z.string().nullish(),
  customer_id: z.string().nullish(),
  notes: notes.nullish(),
  error_reason: z.string().nullish(),
  error_description: z.string().nullish(),
  created_at: seconds,
});
export type Payment = z.output<typeof payment>;

export const refund = z.object({
  id: z.string().min(1),
  payment_id: z.string().min(1),
  amount: paise,
  receipt: z.string().nullish(),
  status: z.enum(['pending', 'processed', 'failed']),
});
export type Refund = z.output<typeof refund>;

const collectionOf = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item) });
export const orders = collectionOf(order);
export const payments = collectionOf(payment);
export const refunds = collectionOf(refund);

/** Response of `POST /v1/payments/create/upi`, with a `link` only for an intent. */
export const startedUpi = z.object({ razorpay_payment_id: z.string().min(1) });
export const startedMandateIntent = startedUpi.extend({ link: z.string().startsWith('upi://mandate?') });
export const startedIntent = startedUpi.extend({ link: z.string().startsWith('upi://') });

/** Response of `POST /v1/payments/create/json`: where the investor's browser goes next. */
export const startedRedirect = startedUpi.extend({
  next: z.array(z.object({ action: z.string(), url: z.string().optional() })),
});

/** The body of every error answer. `reason` decides ("Match on reason, not on the code"). */
export const failure = z.object({
  error: z.object({
    code: z.string().min(1),
    description: z.string(),
    reason: z.string().nullish(),
  }),
});

const entityOf = <S extends z.ZodType>(entity: S) => z.object({ entity });

const id = z.string().max(LONGEST_ID);

/** The fields of every event; the others are read only when they are understood. */
export const eventHead = z.object({
  event: id.min(1),
  payload: z.object({
    payment: entityOf(z.object({ id, order_id: id.nullish() })).optional(),
    refund: entityOf(z.object({ id, receipt: id.nullish() })).optional(),
    order: entityOf(z.object({ id, receipt: id.nullish(), notes: notes.nullish() })).optional(),
    token: entityOf(z.object({ id, notes: notes.nullish() })).optional(),
    notification: entityOf(notificationEntity).optional(),
  }),
});
export type EventHead = z.output<typeof eventHead>;
export const paymentEvent = z.object({ payload: z.object({ payment: entityOf(payment) }) });
export const deliveredEvent = z.object({
  event: z.string(),
  created_at: z.int().nullish(),
  payload: z.object({ order: entityOf(z.object({ id: z.string() })).optional() }),
});
export const refundEvent = z.object({ payload: z.object({ refund: entityOf(refund) }) });

/** The body of `POST /v1/orders`. */
export const orderRequest = z.object({
  amount: z.coerce.number().int().nonnegative(),
  currency: z.string(),
  receipt: z.string().max(40).nullish(),
  notes: notes.nullish(),
  customer_id: z.string().min(1).optional(),
  method: z.string().optional(),
  token: tokenRequest.optional(),
  notification: notificationRequest.optional(),
});
export type OrderRequest = z.output<typeof orderRequest>;

const startRequest = z.object({
  amount: z.coerce.number().int().nonnegative(),
  currency: z.string(),
  order_id: z.string().min(1),
  email: z.email(),
  contact: z.union([z.string().min(1), z.number()]),
  notes: notes.nullish(),
  /** Both for an attempt to authorise a mandate. */
  customer_id: z.string().min(1).optional(),
  recurring: z.union([z.literal('1'), z.literal(1), z.literal(true)]).optional(),
});

/** The body of `POST /v1/payments/create/upi`: the facts of the investor's browser are required here. */
export const upiRequest = startRequest.extend({
  ip: z.union([z.ipv4(), z.ipv6()]),
  referer: z.string().min(1),
  user_agent: z.string().min(1),
  method: z.literal('upi'),
  upi: z.discriminatedUnion('flow', [
    z.object({ flow: z.literal('intent') }),
    z.object({ flow: z.literal('collect'), vpa: z.string().min(1), expiry_time: z.int().optional() }),
  ]),
});
export type UpiRequest = z.output<typeof upiRequest>;

/** The body of `POST /v1/payments/create/json`, for net banking. */
const netbankingRequest = startRequest.extend({
  method: z.literal('netbanking'),
  bank: z.string().min(1),
  callback_url: z.url({ protocol: /^https?$/ }).optional(),
});

/** The same for an e-mandate, which is authorised on the bank's page. */
const emandateRequest = startRequest.extend({
  method: z.literal('emandate'),
  auth_type: z.literal('netbanking'),
  bank: z.string().min(1),
  callback_url: z.url({ protocol: /^https?$/ }).optional(),
});
export const redirectRequest = z.discriminatedUnion('method', [netbankingRequest, emandateRequest]);
export type RedirectRequest = z.output<typeof redirectRequest>;

/** The body of `POST /v1/payments/:id/refund`: without an amount, all that remains. */
export const refundRequest = z.object({
  amount: z.coerce.number().int().positive().optional(),
  receipt: z.string().max(40).nullish(),
  notes: notes.nullish(),
});
export type RefundRequest = z.output<typeof refundRequest>;
