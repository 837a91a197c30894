import { z } from 'zod';
import { decimal } from '../decimal.ts';
import { fieldError } from '../errors.ts';
import { integerId } from '../ids.ts';
import { MF_ORDER_STATES, schemeCategory } from '../mf-order.dto.ts';

/**
 * One claim of a set of orders by a payment (CLAIM-2): all or nothing, idempotent by the
 * payment's id. `replaces` lists payments that are dead in the database of payments; their claims may be taken over.
 */
export const claim = z.strictObject({
  tenant: z.string(),
  payment_id: integerId,
  amc_order_ids: z.array(integerId).min(1).max(10),
  /** The owner of the bank account that will pay; null when the account's payout bank account is to be used. */
  investor_profile: z.string().nullable(),
  replaces: z.array(integerId),
  /** The mandate, when a debit claims: only the mandate of its plan collects an installment (PLAN-24). */
  mandate_id: integerId.optional(),
});
export type Claim = z.infer<typeof claim>;

/** `POST /internal/claims` (orders): claims that arrive together are sent together. */
export const claimsRequest = z.strictObject({ claims: z.array(claim).min(1).max(256) });

const claimedOrder = z.strictObject({
  old_id: integerId,
  id: z.string(),
  state: z.enum(MF_ORDER_STATES),
  amount: decimal,
  /** The ISIN of its scheme, for the payer to read; an older release of orders leaves it out. */
  scheme: z.string().optional(),
  /** Null where its gateway does not report it; an older release of orders leaves it out. */
  scheme_category: schemeCategory.nullable().optional(),
  /** The order's `event_seq`: payments' projection keeps the state with the largest one. */
  sequence: z.int().nonnegative(),
});

const claimResult = z.discriminatedUnion('outcome', [
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
    /** The payments that hold the orders, if that is the reason. */
    claimed_by: z.array(integerId),
  }),
]);
export type ClaimResult = z.infer<typeof claimResult>;
/** One result per claim, in the order of the request. */
export const claimsAnswer = z.strictObject({ results: z.array(claimResult) });

/** `POST /internal/claims/release` (orders): compare-and-set, so releasing twice or late never frees another payment's claim. */
export const releaseRequest = z.strictObject({
  tenant: z.string(),
  payment_id: integerId,
  /** Only these of its orders; by default all that it holds. */
  amc_order_ids: z.array(integerId).min(1).max(10).optional(),
  /** No payment was created under this id, and none will be: the orders show the previous payment again. */
  never_made: z.boolean().optional(),
});
export const releaseAnswer = z.strictObject({ released: z.int().nonnegative() });

/** The orders of one payment whose money will be refunded because they were not confirmed in time. */
export const giveUp = z.strictObject({
  tenant: z.string(),
  payment_id: integerId,
  amc_order_ids: z.array(integerId).min(1).max(10),
});
export type GiveUp = z.infer<typeof giveUp>;

/**
 * `POST /internal/claims/give-up` (orders): called before payments refunds money because an order was not confirmed. Requests that
 * arrive together are sent together. Under the order's row lock, each order is `given_up`: from then on it cannot be confirmed
 * under this payment; or `kept`: it was confirmed before, and its money stays. Idempotent.
 */
export const giveUpRequest = z.strictObject({ give_ups: z.array(giveUp).min(1).max(256) });

const givenUpOrder = z.strictObject({
  old_id: integerId,
  id: z.string(),
  outcome: z.enum(['given_up', 'kept']),
  state: z.enum(MF_ORDER_STATES),
  /** The order's `event_seq`: payments' projection keeps the state with the largest one. */
  sequence: z.int().nonnegative(),
});
export type GivenUpOrder = z.infer<typeof givenUpOrder>;

const giveUpResult = z.strictObject({
  payment_id: integerId,
  /** An order that the tenant does not have is left out. */
  orders: z.array(givenUpOrder),
});
export type GiveUpResult = z.infer<typeof giveUpResult>;
/** One result per payment, in the order of the request. */
export const giveUpAnswer = z.strictObject({ results: z.array(giveUpResult) });

/**
 * `POST /internal/payments/resolve` (payments): for each id, may it hold orders? If there is no payment, `void` is stored under
 * the id before the answer, so that no payment can be created under it later; only then may orders free the claim. A FAILED or
 * REJECTED payment is also answered with `void`: it never becomes live again.
 */
export const resolveRequest = z.strictObject({ payment_ids: z.array(integerId).min(1).max(500) });
export const resolveAnswer = z.strictObject({
  results: z.array(z.strictObject({ payment_id: integerId, kind: z.enum(['payment', 'void']) })),
});
