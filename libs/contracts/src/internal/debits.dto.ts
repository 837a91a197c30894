import { z } from 'zod';
import { integerId, prefixedId } from '../ids.ts';
import { PAYMENT_STATUSES } from '../payment.dto.ts';

/**
 * `POST /internal/payments/debits` (payments): debits a mandate for one order of ours, an installment that its plan collects.
 * One debit an order: a second call is answered as the first one was, whether its payment has ended or not, and calls that
 * come at once get one answer. 503: nothing is known, ask again.
 */
export const raiseDebit = z.strictObject({
  tenant: z.string(),
  mandate_id: integerId,
  /** The order, by both of its names. */
  old_id: integerId,
  order_id: z.union([prefixedId('redemption'), prefixedId('purchase')]),
});
export type RaiseDebitRequest = z.infer<typeof raiseDebit>;

/** The refusals that no second call changes. */
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
    /** As the payment stands now. */
    status: z.enum(PAYMENT_STATUSES),
  }),
  z.strictObject({
    outcome: z.literal('refused'),
    code: z.enum(DEBIT_REFUSALS),
    message: z.string(),
  }),
]);
export type RaisedDebit = z.infer<typeof raisedDebit>;
