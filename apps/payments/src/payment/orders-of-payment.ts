import type { MfPurchaseDto } from '@fundrail/contracts';
import type { ShareRow } from './payment.entity.ts';
import { failPayment, isCheckout, task, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { returnedByRegistrar, sharesLeft } from './refund.ts';

export type OrderState = MfPurchaseDto['state'];
/** The projection's state of each order of a payment, by `old_id`. */
export type OrderStates = ReadonlyMap<number, OrderState>;

const ENDED: ReadonlySet<OrderState> = new Set(['failed', 'cancelled', 'reversed']);
const NOT_CONFIRMED: ReadonlySet<OrderState> = new Set(['under_review', 'pending']);
const AT_THE_GATEWAY: ReadonlySet<OrderState> = new Set(['submitted', 'successful']);

/** The shares whose order takes no money any more. */
export function endedShares(shares: readonly ShareRow[], states: OrderStates): readonly ShareRow[] {
  return shares.filter((share) => ENDED.has(states.get(share.old_id) ?? 'pending'));
}

/** Whether the gateway has all of these orders, so that money may be asked for and handed over. */
export function sharesReady(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.every((share) => AT_THE_GATEWAY.has(states.get(share.old_id) ?? 'pending'));
}

/**
 * Whether a debit for these orders may begin, with its notice. A purchase is at the gateway by then; an installment of a plan is
 * collected before the gateway gets it (contract §5), once it is confirmed.
 */
export function mayBeDebited(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.every(
    (share) =>
      sharesReady([share], states) || (isRedemption(share) && states.get(share.old_id) === 'confirmed'),
  );
}

/** Whether nobody has confirmed one of these orders. */
export function isUnconfirmed(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.some((share) => NOT_CONFIRMED.has(states.get(share.old_id) ?? 'pending'));
}

/** Told by its id, which both kinds of orders share nothing of. */
function isRedemption({ order_id }: ShareRow): boolean {
  return order_id.startsWith('mfrd_');
}

/**
 * What a change of its orders means for a payment (contract §10 "Several orders in one payment"). Until the URI went out one
 * failed order fails the payment; afterwards it takes all of them. Decided anew from the states each time, so no event has
 * to come at the right moment.
 */
export function ordersChanged(payment: Payment, states: OrderStates, now: Date): Outcome {
  const ended = endedShares(sharesLeft(payment), states);
  if (payment.payment_type === 'NACH' && (payment.status === 'PENDING' || payment.status === 'SUBMITTED'))
    return debitsOrderChanged(payment, ended.length > 0, states, now);
  switch (payment.status) {
    case 'PENDING':
      return pendingOrdersChanged(payment, ended.length, states, now);
    case 'SUCCESS':
      return { ...unchanged(payment), due: [task(payment, 'payment.transfer', now)] };
    case 'APPROVED':
      return afterTransfer(payment, ended, now);
    // Whether the money ever gets to the registrar is known with the transfer's answer (`transferAnswered`).
    case 'INITIATED':
    case 'SUBMITTED':
    case 'FAILED':
    case 'REJECTED':
      return unchanged(payment);
    default:
      return payment.status satisfies never;
  }
}

/** What it means for a debit is decided with its notice and attempts, by `debit.notify`. */
function debitsOrderChanged(payment: Payment, hasEnded: boolean, states: OrderStates, now: Date): Outcome {
  const matters = hasEnded || mayBeDebited(payment.orders, states);
  return { ...unchanged(payment), due: matters ? [task(payment, 'debit.notify', now)] : [] };
}

function pendingOrdersChanged(payment: Payment, ended: number, states: OrderStates, now: Date): Outcome {
  const all = ended === payment.orders.length;
  const isOut = isCheckout(payment) || payment.uri_requested_at !== null;
  if (all || (ended > 0 && !isOut)) return failPayment(payment, 'fail', 'payment_failed', now);
  if (isOut || !sharesReady(payment.orders, states)) return unchanged(payment);
  const kind = payment.upi_type === 'collect' ? 'payment.send_collect' : 'payment.issue_uri';
  return { ...unchanged(payment), due: [task(payment, kind, now)] };
}

/** The registrar gives that money back itself; each share is told once. */
function afterTransfer(payment: Payment, ended: readonly ShareRow[], now: Date): Outcome {
  const told = new Set(payment.refunds.flatMap((refund) => refund.amc_order_ids));
  const news = ended.filter((share) => !told.has(share.old_id));
  return news.length === 0 ? unchanged(payment) : returnedByRegistrar(payment, news, now);
}
