import { Decimal } from '@fundrail/contracts';
import { transferReference } from '@fundrail/providers';
import type { TransferStatus } from '@fundrail/providers';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import { endedShares, paidOrdersChanged, sharesReady, type OrderStates } from './orders-of-payment.ts';
import type { RefundReason, ShareRow } from './payment.tables.ts';
import { andThen, contradicted, note, stepped, task, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { refundTasks, remaining, sharesLeft, startRefund } from './refund.ts';

/**
 * After SUCCESS: first gives back the shares of ended orders, then, when all other orders are submitted, transfers the rest. From
 * `start_transfer` on the shares are fixed, even if orders end (XFER-4).
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

/** Gives back the shares of the orders that were given up; the rest goes to the registrar. */
export function sweepUnconfirmed(payment: Payment, givenUp: ReadonlySet<number>, now: Date): Outcome {
  if (payment.status !== 'SUCCESS') return unchanged(payment);
  const shares = sharesLeft(payment).filter((share) => givenUp.has(share.old_id));
  const outcome = refundShares(payment, shares, 'order_not_confirmed', now);
  if (outcome.payment.status !== 'SUCCESS') return outcome;
  return { ...outcome, due: [...outcome.due, task(payment, 'payment.transfer', now)] };
}

/** Gives the shares back and releases their orders while the money is still here; when no share is left, the payment is REJECTED. */
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
    return stepped(
      amended(paymentMachine, payment, 'refund', { changes: refund, events: ['payment.updated'] }),
      [...due, task(payment, 'payment.free_orders', now)],
    );
  return stepped(
    transition(paymentMachine, payment, 'reject_transfer', { ...refund, rejected_at: now }),
    due,
  );
}

/** Applies the order gateway's status of the transfer. The first final status counts; a different one later is a contradiction. */
export function applyTransferStatus(payment: Payment, status: TransferStatus, now: Date): Outcome {
  switch (status.status) {
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
      return status satisfies never;
  }
}

/** The same, and then handles the orders that ended during the transfer: the registrar gives their money back. */
export function transferAnswered(
  payment: Payment,
  status: TransferStatus,
  states: OrderStates,
  now: Date,
): Outcome {
  return andThen(applyTransferStatus(payment, status, now), (after) =>
    after.status === 'APPROVED' ? paidOrdersChanged(after, states, now) : unchanged(after),
  );
}

function accepted(payment: Payment, now: Date): Outcome {
  if (payment.status !== 'INITIATED' || payment.transfer_accepted_at) return unchanged(payment);
  return note(payment, 'accept_transfer', { transfer_accepted_at: now });
}

/** The payment is REJECTED, and all money that is still here goes back to the investor. */
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
