import { businessDaysAfter, istDate, istInstant } from '@fundrail/contracts';
import type { CollectedMoney, Holidays, PaymentFailureCode } from '@fundrail/contracts';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import { applyPaymentStatus } from '../collection/collection.ts';
import {
  endPayment,
  failPayment,
  stepped,
  unchanged,
  type Outcome,
  type Payment,
} from '../payment/payment.ts';

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
  return money ? applyPaymentStatus(payment, { status: 'captured', ...money }, now) : unchanged(payment);
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
 * How many business days a debit waits for its order to be confirmed, by default: as long as an unconfirmed order is held (ORD-22
 * `order_expiry`, decision 0014), so that the debit does not hold it longer.
 */
export const DEFAULT_CONFIRM_BUSINESS_DAYS = 7;

/** Until when a debit raised at `raisedAt` waits for its order: 00:00 IST, as for `order_expiry`. */
export function unconfirmedAt(raisedAt: Date, businessDays: number, holidays: Holidays): Date {
  return istInstant(businessDaysAfter(istDate(raisedAt), businessDays + 1, holidays));
}
