import {
  paidOrdersChanged,
  endedShares,
  sharesReady,
  type OrderStates,
} from '../payment/orders-of-payment.ts';
import { failPayment, task } from '../payment/payment.ts';
import { sharesLeft } from '../payment/refund.ts';
import { checkoutOf, decided, still, upiOf, type Collection, type CollectionOutcome } from './collection.ts';

/**
 * Applies a change of its orders to a payment (PAY-32, PAY-33). Before the URI is requested, one ended order fails the payment;
 * after that, only all of them do. Each decision uses all current states, so the order of events does not matter.
 */
export function ordersChanged(payment: Collection, states: OrderStates, now: Date): CollectionOutcome {
  if (payment.status !== 'PENDING') return decided(payment, paidOrdersChanged(payment, states, now));
  const ended = endedShares(sharesLeft(payment), states).length;
  // For a payment by page or SDK, the creation is the point of no return.
  const isSent = checkoutOf(payment) !== null || upiOf(payment)?.state !== 'waiting';
  if (ended === payment.orders.length || (ended > 0 && !isSent))
    return decided(payment, failPayment(payment, 'fail', 'payment_failed', now));
  if (isSent || !sharesReady(payment.orders, states)) return still(payment);
  const kind = payment.upi?.type === 'collect' ? 'payment.send_collect' : 'payment.issue_uri';
  return { ...still(payment), due: [task(payment, kind, now)] };
}
