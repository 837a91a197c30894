import { businessDaysAfter, istDate, istInstant } from '@fundrail/contracts';
import type { CollectedMoney, Holidays, PaymentFailureCode } from '@fundrail/contracts';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import { captured } from '../payment/capture.ts';
import {
  endedShares,
  isRedemption,
  paidOrdersChanged,
  sharesReady,
  type OrderStates,
} from '../payment/orders-of-payment.ts';
import type { ShareRow } from '../payment/payment.tables.ts';
import {
  endPayment,
  failPayment,
  stepped,
  unchanged,
  type Outcome,
  type Payment,
} from '../payment/payment.ts';
import { sharesLeft } from '../payment/refund.ts';
import { reportDebit } from './debit-fact.ts';

function isLive({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED';
}

/** The debit is planned for another day (IST), which the client sees. */
export function planned(payment: Payment, debit_date: string): Outcome {
  if (!isLive(payment) || payment.debit_date === debit_date) return unchanged(payment);
  const events = ['payment.updated'] as const;
  return stepped(amended(paymentMachine, payment, 'plan_debit', { changes: { debit_date }, events }));
}

/** The provider has accepted an attempt: the bank's result may take days (DEB-14). */
export function accepted(payment: Payment, now: Date): Outcome {
  if (payment.status !== 'PENDING') return unchanged(payment);
  return stepped(transition(paymentMachine, payment, 'submit', { submitted_at: now }));
}

/** Money came: in time, late or twice. */
export function collected(payment: Payment, money: CollectedMoney | null, now: Date): Outcome {
  return money ? captured(payment, { status: 'captured', ...money }, now) : unchanged(payment);
}

export function debitFailed(payment: Payment, code: PaymentFailureCode | null, now: Date): Outcome {
  return isLive(payment) ? failPayment(payment, 'fail', code ?? 'payment_failed', now) : unchanged(payment);
}

/** The client cancelled it. An attempt can have been accepted, and refused by the bank, before. */
export function debitCancelled(payment: Payment, now: Date): Outcome {
  if (payment.status === 'PENDING') return endPayment(payment, 'cancel', now);
  return debitFailed(payment, 'user_cancelled', now);
}

/**
 * Applies a change of its order to a debit. Mandates decides with the debit's notice and attempts; here it is only reported. Each decision
 * uses all current states, so the order of events does not matter.
 */
export function debitsOrderChanged(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (!isLive(payment)) return paidOrdersChanged(payment, states, now);
  if (endedShares(sharesLeft(payment), states).length > 0) return reportDebit(payment, { order: 'ended' });
  return mayBeDebited(payment.orders, states) ? reportDebit(payment, { order: 'ready' }) : unchanged(payment);
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
 * How many business days a debit waits for its order to be confirmed, by default: as long as an unconfirmed order is held (ORD-22
 * `order_expiry`, decision 0014), so that the debit does not hold it longer.
 */
export const DEFAULT_CONFIRM_BUSINESS_DAYS = 7;

/** Until when a debit raised at `raisedAt` waits for its order: 00:00 IST, as for `order_expiry`. */
export function unconfirmedAt(raisedAt: Date, businessDays: number, holidays: Holidays): Date {
  return istInstant(businessDaysAfter(istDate(raisedAt), businessDays + 1, holidays));
}
