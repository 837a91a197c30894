import type { MfPurchaseDto } from '@fundrail/contracts';
import type { ShareRow } from './payment.entity.ts';
import { failPayment, task, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { returnedByRegistrar, sharesLeft } from './refund.ts';

export type OrderState = MfPurchaseDto['state'];
/** The projection's state of each order of a payment, by `old_id`. */
export type OrderStates = ReadonlyMap<number, OrderState>;

const ENDED: ReadonlySet<OrderState> = new Set(['failed', 'cancelled', 'reversed']);
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
 * What a change of its orders means for a payment (contract §10 "Several orders in one payment"). Until the URI went out one
 * failed order fails the payment; afterwards it takes all of them. Decided anew from the states each time, so no event has
 * to come at the right moment.
 */
export function ordersChanged(payment: Payment, states: OrderStates, now: Date): Outcome {
  const ended = endedShares(sharesLeft(payment), states);
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

function pendingOrdersChanged(payment: Payment, ended: number, states: OrderStates, now: Date): Outcome {
  const all = ended === payment.orders.length;
  if (all || (ended > 0 && !payment.uri_requested_at))
    return failPayment(payment, 'fail', 'payment_failed', now);
  const askNow = !payment.uri_requested_at && sharesReady(payment.orders, states);
  return askNow
    ? { ...unchanged(payment), due: [task(payment, 'payment.issue_uri', now)] }
    : unchanged(payment);
}

/** The registrar gives that money back itself; each share is told once. */
function afterTransfer(payment: Payment, ended: readonly ShareRow[], now: Date): Outcome {
  const told = new Set(payment.refunds.flatMap((refund) => refund.amc_order_ids));
  const news = ended.filter((share) => !told.has(share.old_id));
  return news.length === 0 ? unchanged(payment) : returnedByRegistrar(payment, news, now);
}
