import type { MfPurchaseDto } from '@fundrail/contracts';
import { reportDebit } from '../debit/debit-fact.ts';
import type { ShareRow } from './payment.tables.ts';
import { failPayment, isCheckout, task, unchanged, type Outcome, type Payment } from './payment.ts';
import { returnedByRegistrar, sharesLeft } from './refund.ts';

export type OrderState = MfPurchaseDto['state'];
/** The projection's state of each order of a payment, by `old_id`. */
export type OrderStates = ReadonlyMap<number, OrderState>;

const ENDED: ReadonlySet<OrderState> = new Set(['failed', 'cancelled', 'reversed']);
const NOT_CONFIRMED: ReadonlySet<OrderState> = new Set(['under_review', 'pending']);
const AT_THE_GATEWAY: ReadonlySet<OrderState> = new Set(['submitted', 'successful']);

/** The shares whose order has ended and takes no money. */
export function endedShares(shares: readonly ShareRow[], states: OrderStates): readonly ShareRow[] {
  return shares.filter((share) => ENDED.has(states.get(share.old_id) ?? 'pending'));
}

/** Whether the gateway has all of these orders, so that money may be requested and transferred. */
export function sharesReady(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.every((share) => AT_THE_GATEWAY.has(states.get(share.old_id) ?? 'pending'));
}

/**
 * Whether a debit for these orders may start, with its notice. A purchase must be at the gateway; an installment of a plan must be
 * confirmed, because it is collected before the gateway gets it (PLAN-23).
 */
function mayBeDebited(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.every(
    (share) =>
      sharesReady([share], states) || (isRedemption(share) && states.get(share.old_id) === 'confirmed'),
  );
}

/**
 * The shares whose order is not confirmed in the projection, which may lag behind. Orders must be asked before one of them is given
 * up (decision 0029). The other orders are confirmed, and that is never undone.
 */
export function unconfirmedShares(shares: readonly ShareRow[], states: OrderStates): readonly ShareRow[] {
  return shares.filter((share) => NOT_CONFIRMED.has(states.get(share.old_id) ?? 'pending'));
}

/** Decided by the prefix of its id: purchases have another one. */
export function isRedemption({ order_id }: ShareRow): boolean {
  return order_id.startsWith('mfrd_');
}

/**
 * Applies a change of its orders to a payment (PAY-32, PAY-33). Before the URI is requested, one ended order fails the payment;
 * after that, only all of them do. Each decision uses all current states, so the order of events does not matter.
 */
export function ordersChanged(payment: Payment, states: OrderStates, now: Date): Outcome {
  const ended = endedShares(sharesLeft(payment), states);
  if (payment.payment_type === 'NACH' && (payment.status === 'PENDING' || payment.status === 'SUBMITTED'))
    return debitsOrderChanged(payment, ended.length > 0, states);
  switch (payment.status) {
    case 'PENDING':
      return pendingOrdersChanged(payment, ended.length, states, now);
    case 'SUCCESS':
      return { ...unchanged(payment), due: [task(payment, 'payment.transfer', now)] };
    case 'APPROVED':
      return afterTransfer(payment, ended, now);
    // Only the transfer's answer decides whether the money reaches the registrar (`transferAnswered`).
    case 'INITIATED':
    case 'SUBMITTED':
    case 'FAILED':
    case 'REJECTED':
      return unchanged(payment);
    default:
      return payment.status satisfies never;
  }
}

/** Mandates decides with the debit's notice and attempts; here it is only reported. */
function debitsOrderChanged(payment: Payment, hasEnded: boolean, states: OrderStates): Outcome {
  if (hasEnded) return reportDebit(payment, { order: 'ended' });
  return mayBeDebited(payment.orders, states) ? reportDebit(payment, { order: 'ready' }) : unchanged(payment);
}

function pendingOrdersChanged(payment: Payment, ended: number, states: OrderStates, now: Date): Outcome {
  const all = ended === payment.orders.length;
  const isSent = isCheckout(payment) || payment.uri_requested_at !== null;
  if (all || (ended > 0 && !isSent)) return failPayment(payment, 'fail', 'payment_failed', now);
  if (isSent || !sharesReady(payment.orders, states)) return unchanged(payment);
  const kind = payment.upi_type === 'collect' ? 'payment.send_collect' : 'payment.issue_uri';
  return { ...unchanged(payment), due: [task(payment, kind, now)] };
}

/** The registrar itself gives back the money of ended orders; each share is reported once. */
function afterTransfer(payment: Payment, ended: readonly ShareRow[], now: Date): Outcome {
  const reported = new Set(payment.refunds.flatMap((refund) => refund.amc_order_ids));
  const newlyEnded = ended.filter((share) => !reported.has(share.old_id));
  return newlyEnded.length === 0 ? unchanged(payment) : returnedByRegistrar(payment, newlyEnded, now);
}
