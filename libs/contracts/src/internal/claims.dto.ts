import { z } from 'zod';
import { decimal } from '../decimal.ts';
import { fieldError } from '../errors.ts';
import { integerId } from '../ids.ts';
import { MF_PURCHASE_STATES } from '../mf-purchase.dto.ts';

/**
 * One claim of a set of orders by a payment (architecture §11 "Creating a payment"): all or nothing, idempotent by the
 * payment's id. `replaces` names payments that payments' own database knows to be dead; their claims may be taken over.
 */
export const claim = z.strictObject({
  tenant: z.string(),
  payment_id: integerId,
  amc_order_ids: z.array(integerId).min(1).max(10),
  /** The owner of the bank account that will pay; null when the account's payout bank account is to be used. */
  investor_profile: z.string().nullable(),
  replaces: z.array(integerId),
  /** Whose debit claims, when it is one: an installment is collected by the mandate of its plan only (contract §5). */
  mandate_id: integerId.optional(),
});
export type Claim = z.infer<typeof claim>;

/** `POST /internal/claims` (orders): claims that arrived together are sent together. */
export const claimsRequest = z.strictObject({ claims: z.array(claim).min(1).max(256) });

export const claimedOrder = z.strictObject({
  old_id: integerId,
  id: z.string(),
  state: z.enum(MF_PURCHASE_STATES),
  amount: decimal,
  /** The order's `event_seq`: payments' projection keeps the state with the largest one. */
  sequence: z.int().nonnegative(),
});

export const claimResult = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('claimed'),
    payment_id: integerId,
    mf_investment_account: z.string(),
    orders: z.array(claimedOrder),
  }),
  z.strictObject({
    outcome: z.literal('refused'),
    payment_id: integerId,
    code: z.enum(['BAD_REQUEST_ERROR', 'ORDER_NOT_PENDING', 'CONSENT_MISSING', 'PAYMENT_ALREADY_EXISTS']),
    message: z.string(),
    errors: z.array(fieldError),
    /** The payments that hold the orders, when that is the reason. */
    claimed_by: z.array(integerId),
  }),
]);
export type ClaimResult = z.infer<typeof claimResult>;
/** One result a claim, in the order asked. */
export const claimsAnswer = z.strictObject({ results: z.array(claimResult) });

/** `POST /internal/claims/release` (orders): compare-and-set, so releasing twice or late frees nobody else's claim. */
export const releaseRequest = z.strictObject({
  tenant: z.string(),
  payment_id: integerId,
  /** Only these of its orders; left out, all that it holds. */
  amc_order_ids: z.array(integerId).min(1).max(10).optional(),
});
export const releaseAnswer = z.strictObject({ released: z.int().nonnegative() });

/**
 * `POST /internal/payments/resolve` (payments): for each id, may it hold orders? If there is no payment, `void` is written
 * under the id before the answer, so that none can come to be under it any more; only then may orders free the claim. A
 * FAILED or REJECTED payment is answered as `void` as well: it never lives again.
 */
export const resolveRequest = z.strictObject({ payment_ids: z.array(integerId).min(1).max(500) });
export const resolveAnswer = z.strictObject({
  results: z.array(z.strictObject({ payment_id: integerId, kind: z.enum(['payment', 'void']) })),
});
