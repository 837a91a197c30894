import { z } from 'zod';
import { integerId, prefixedId } from '../ids.ts';
import { PAYMENT_STATUSES } from '../payment.dto.ts';

/**
 * `POST /internal/payments/debits` (payments): debits a mandate for one of our orders, an installment that its plan collects.
 * One debit per order: a second call gets the first one's answer, whether or not its payment has ended, and so do concurrent
 * calls. 503: the outcome is not known, retry.
 */
export const raiseDebit = z.strictObject({
  tenant: z.string(),
  mandate_id: integerId,
  /** Both ids of the order. */
  old_id: integerId,
  order_id: z.union([prefixedId('redemption'), prefixedId('purchase')]),
});
export type RaiseDebitRequest = z.infer<typeof raiseDebit>;

/** The refusals that a retry does not change. */
export const DEBIT_REFUSALS = [
  'BAD_REQUEST_ERROR',
  'ORDER_NOT_PENDING',
  'CONSENT_MISSING',
  'PAYMENT_ALREADY_EXISTS',
  'MANDATE_NOT_APPROVED',
  'MANDATE_LIMIT_EXCEEDED',
] as const;

export const raisedDebit = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('raised'),
    payment_id: integerId,
    /** The payment's current status. */
    status: z.enum(PAYMENT_STATUSES),
  }),
  z.strictObject({
    outcome: z.literal('refused'),
    code: z.enum(DEBIT_REFUSALS),
    message: z.string(),
  }),
]);
export type RaisedDebit = z.infer<typeof raisedDebit>;

/** The most debits of one call. */
export const MOST_DEBITS_AT_ONCE = 256;

/**
 * `POST /internal/payments/debits/batch` (payments): the same for many installments. One result for each, in the order of the request.
 * `unknown`: the outcome is not known, ask again.
 */
export const raiseDebits = z.strictObject({ debits: z.array(raiseDebit).min(1).max(MOST_DEBITS_AT_ONCE) });
export type RaiseDebitsRequest = z.infer<typeof raiseDebits>;
export const raisedDebits = z.strictObject({
  results: z.array(z.union([raisedDebit, z.strictObject({ outcome: z.literal('unknown') })])),
});
export type RaisedDebits = z.infer<typeof raisedDebits>;
