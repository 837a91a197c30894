import { addDays, istDate, istInstant, type MfPurchaseDto } from '@fundrail/contracts';
import type { ShareRow } from './payment.tables.ts';
import { task, unchanged, type Outcome, type Payment } from './payment.ts';
import { returnedByRegistrar, sharesLeft } from './refund.ts';

export type OrderState = MfPurchaseDto['state'];
/** The projection's state of each order of a payment, by `old_id`. */
export type OrderStates = ReadonlyMap<number, OrderState>;

const ENDED: ReadonlySet<OrderState> = new Set(['failed', 'cancelled', 'reversed']);
const NOT_CONFIRMED: ReadonlySet<OrderState> = new Set(['under_review', 'pending']);
const AT_THE_GATEWAY: ReadonlySet<OrderState> = new Set(['submitted', 'successful']);

/** The time of the daily sweep in IST, and the minimum age of a paid payment by then (REF-11). */
const SWEEP_TIME = '23:00';
const SWEEP_LEAST_AGE_MS = 30 * 60_000;

/** The shares whose order has ended and takes no money. */
export function endedShares(shares: readonly ShareRow[], states: OrderStates): readonly ShareRow[] {
  return shares.filter((share) => ENDED.has(states.get(share.old_id) ?? 'pending'));
}

/** Whether the gateway has all of these orders, so that money may be requested and transferred. */
export function sharesReady(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.every((share) => AT_THE_GATEWAY.has(states.get(share.old_id) ?? 'pending'));
}

/**
 * The shares whose order is not confirmed in the projection, which may lag behind. Orders must be asked before one of them is given
 * up (decision 0029). The other orders are confirmed, and that is never undone.
 */
export function unconfirmedShares(shares: readonly ShareRow[], states: OrderStates): readonly ShareRow[] {
  return shares.filter((share) => NOT_CONFIRMED.has(states.get(share.old_id) ?? 'pending'));
}

/** When the unconfirmed orders of a paid payment are given up: the first 23:00 IST that is at least 30 minutes after the money came in. */
export function sweepOf(paidAt: Date): Date {
  const least = new Date(paidAt.getTime() + SWEEP_LEAST_AGE_MS);
  const today = istInstant(istDate(least), SWEEP_TIME);
  return today >= least ? today : istInstant(addDays(istDate(least), 1), SWEEP_TIME);
}

/** Decided by the prefix of its id: purchases have another one. */
export function isRedemption({ order_id }: ShareRow): boolean {
  return order_id.startsWith('mfrd_');
}

/** Applies a change of its orders to a payment that has its money (PAY-33). One that waits for it is decided by what it waits for. */
export function paidOrdersChanged(payment: Payment, states: OrderStates, now: Date): Outcome {
  switch (payment.status) {
    case 'SUCCESS':
      return { ...unchanged(payment), due: [task(payment, 'payment.transfer', now)] };
    case 'APPROVED':
      return afterTransfer(payment, endedShares(sharesLeft(payment), states), now);
    // Only the transfer's answer decides whether the money reaches the registrar (`transferAnswered`).
    case 'INITIATED':
    case 'PENDING':
    case 'SUBMITTED':
    case 'FAILED':
    case 'REJECTED':
      return unchanged(payment);
    default:
      return payment.status satisfies never;
  }
}

/** The registrar itself gives back the money of ended orders; each share is reported once. */
function afterTransfer(payment: Payment, ended: readonly ShareRow[], now: Date): Outcome {
  const reported = new Set(payment.refunds.flatMap((refund) => refund.amc_order_ids));
  const newlyEnded = ended.filter((share) => !reported.has(share.old_id));
  return newlyEnded.length === 0 ? unchanged(payment) : returnedByRegistrar(payment, newlyEnded, now);
}
