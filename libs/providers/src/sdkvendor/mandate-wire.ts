import { z } from 'zod';

/**
 * The recurring part of Razorpay's interface (razorpay.com/docs/api/payments/recurring-payments, "UPI" and "Emandate", read in
 * November 2026), with the rules of `wire.ts`.
 */
/** An object of at most 15 texts, or `[]` when there is none: Razorpay is written in PHP. */
export const notes = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);
const id = z.string().min(1);

/** A customer, to whom tokens belong. */
export const customer = z.object({ id });
/** The body of `POST /v1/customers`. `fail_existing: "0"` returns an existing customer with these details. */
export const customerRequest = z.object({
  name: z.string().nullish(),
  email: z.string().nullish(),
  contact: z.union([z.string(), z.number()]).nullish(),
  fail_existing: z.union([z.literal('0'), z.literal('1'), z.literal(0), z.literal(1)]).optional(),
  notes: notes.nullish(),
});
export type CustomerRequest = z.output<typeof customerRequest>;

/** A mandate. `mrn` is NPCI's number of an e-mandate. */
export const token = z.object({
  id,
  method: z.string(),
  mrn: z.string().nullish(),
  /** The limit of one debit, in paise. */
  max_amount: z.int().nullish(),
  recurring_details: z.object({
    status: z.enum([
      'initiated',
      'confirmed',
      'rejected',
      'paused',
      'resumed',
      'cancellation_initiated',
      'cancelled',
      'expired',
    ]),
  }),
});
export type Token = z.output<typeof token>;
export const tokens = z.object({ items: z.array(z.object({ id })) });

/** Response of `PUT …/cancel`; the token shows what it means. */
export const cancelledToken = z.object({ status: z.string() });
export const deletedToken = z.object({ deleted: z.literal(true) });

/** In the body of `POST /v1/orders`: the mandate to authorise. */
export const tokenRequest = z.object({
  max_amount: z.int().positive(),
  expire_at: z.int().positive(),
  frequency: z.string().optional(),
  auth_type: z.string().optional(),
  notes: notes.nullish(),
  bank_account: z
    .object({
      beneficiary_name: z.string(),
      account_number: z.string(),
      account_type: z.enum(['savings', 'current', 'cc', 'nre', 'nro']),
      ifsc_code: z.string(),
    })
    .optional(),
});
export type TokenRequest = z.output<typeof tokenRequest>;

/** The same for a debit: its pre-debit notification, and when the debit may be made (seconds since 1970). */
export const notificationRequest = z.object({ token_id: id, payment_after: z.int().positive().optional() });
export type NotificationRequest = z.output<typeof notificationRequest>;

/** What the payer reads besides amount and time, in the order's notes. Orders of our release before have none. */
export const noticeNotes = z.object({ merchant: z.string(), mandate_ref: z.string(), reason: z.string() });

/** A notification in an order. */
export const notification = z.object({ id, token_id: id.nullish(), payment_after: z.int().nullish() });

/** The body of `POST /v1/payments/create/recurring`: one debit. */
export const recurringRequest = z.object({
  amount: z.int().positive(),
  currency: z.string(),
  order_id: id,
  customer_id: id,
  token: id,
  recurring: z.union([z.literal(true), z.literal('1'), z.literal(1)]),
  email: z.string().nullish(),
  contact: z.union([z.string(), z.number()]).nullish(),
  description: z.string().nullish(),
  notes: notes.nullish(),
});
export type RecurringRequest = z.output<typeof recurringRequest>;
export const startedRecurring = z.object({ razorpay_payment_id: id });

/** The webhooks about a notification; Razorpay's documents disagree on which field contains the order. */
export const notificationEntity = z.object({ id, order_id: id.nullish() });
