import { Decimal } from '@fundrail/contracts';
import type { TransferStatus } from '@fundrail/providers';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import type { OrderStates } from './orders-of-payment.ts';
import { endedShares, ordersChanged, sharesReady } from './orders-of-payment.ts';
import type { RefundReason, ShareRow } from './payment.entity.ts';
import { andThen, contradicted, note, stepped, task, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { refundTasks, remaining, sharesLeft, startRefund } from './refund.ts';
import { transferReference } from './references.ts';

/**
 * After SUCCESS: first the shares of orders that have ended go back, then, when all the others are submitted, the rest is
 * handed over. From `start_transfer` on the shares stand fast, whatever becomes of the orders (contract §3 "Shares").
 */
export function beginTransfer(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (payment.status !== 'SUCCESS') return unchanged(payment);
  const ended = endedShares(sharesLeft(payment), states);
  return andThen(refundShares(payment, ended, 'order_failed', now), (rest) => {
    if (rest.status !== 'SUCCESS' || !sharesReady(sharesLeft(rest), states)) return unchanged(rest);
    const reference = { transfer_reference: transferReference(rest.id), transfer_initiated_at: now };
    return stepped(transition(paymentMachine, rest, 'start_transfer', reference));
  });
}

/** Gives the shares back while the money is still here, and their orders free; when nothing is left, the payment is REJECTED. */
export function refundShares(
  payment: Payment,
  shares: readonly ShareRow[],
  reason: RefundReason,
  now: Date,
): Outcome {
  if (shares.length === 0) return unchanged(payment);
  const amount = Decimal.sum(shares.map((share) => share.amount));
  const refund = startRefund(payment, { amount, reason, orders: shares.map((share) => share.old_id) }, now);
  const due = refundTasks(payment, refund, now);
  const left = sharesLeft({ ...payment, ...refund });
  if (left.length > 0)
    return stepped(amended(paymentMachine, payment, 'refund', refund, ['payment.updated']), [
      ...due,
      task(payment, 'payment.free_orders', now),
    ]);
  return stepped(
    transition(paymentMachine, payment, 'reject_transfer', { ...refund, rejected_at: now }),
    due,
  );
}

/** What the order gateway says of the transfer. The first word counts; another one afterwards is a named contradiction. */
export function transferSaid(payment: Payment, said: TransferStatus, now: Date): Outcome {
  switch (said.status) {
    case 'waiting':
      return accepted(payment, now);
    case 'settled':
      if (payment.status === 'APPROVED') return unchanged(payment);
      if (payment.status !== 'INITIATED')
        return contradicted(payment, `settled_after_${payment.status.toLowerCase()}`);
      return stepped(transition(paymentMachine, payment, 'settle', { settled_at: now }));
    case 'rejected':
      if (payment.status === 'REJECTED') return unchanged(payment);
      if (payment.status !== 'INITIATED')
        return contradicted(payment, `rejected_after_${payment.status.toLowerCase()}`);
      return rejected(payment, now);
    default:
      return said satisfies never;
  }
}

/** The same over its orders: those that ended while the money was on its way get it back where it arrived. */
export function transferAnswered(
  payment: Payment,
  said: TransferStatus,
  states: OrderStates,
  now: Date,
): Outcome {
  return andThen(transferSaid(payment, said, now), (after) =>
    after.status === 'APPROVED' ? ordersChanged(after, states, now) : unchanged(after),
  );
}

function accepted(payment: Payment, now: Date): Outcome {
  if (payment.status !== 'INITIATED' || payment.transfer_accepted_at) return unchanged(payment);
  return note(payment, 'accept_transfer', { transfer_accepted_at: now });
}

/** REJECTED, and everything that is still here goes back to the investor. */
function rejected(payment: Payment, now: Date): Outcome {
  const orders = sharesLeft(payment).map((share) => share.old_id);
  const refund = startRefund(
    payment,
    { amount: remaining(payment), reason: 'transfer_rejected', orders },
    now,
  );
  const step = transition(paymentMachine, payment, 'reject_transfer', { ...refund, rejected_at: now });
  return stepped(step, refundTasks(payment, refund, now));
}
