import { addDays, istDate, istInstant } from '@fundrail/contracts';
import { isUnconfirmed } from './orders-of-payment.ts';
import type { OrderStates } from './orders-of-payment.ts';
import { task, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { refundShares } from './transfer.ts';

/** The daily sweep, IST, and how long a payment has been paid by then at least (contract §10 "Payments"). */
const SWEEP_TIME = '23:00';
const SWEEP_LEAST_AGE_MS = 30 * 60_000;

/** The first 23:00 IST that is at least 30 minutes after the money came. */
export function sweepOf(paidAt: Date): Date {
  const least = new Date(paidAt.getTime() + SWEEP_LEAST_AGE_MS);
  const today = istInstant(istDate(least), SWEEP_TIME);
  return today >= least ? today : istInstant(addDays(istDate(least), 1), SWEEP_TIME);
}

/** Gives back the share of every order that is still not confirmed; the rest goes to the registrar. */
export function sweepUnconfirmed(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (payment.status !== 'SUCCESS') return unchanged(payment);
  const shares = sharesLeft(payment).filter((share) => isUnconfirmed([share], states));
  const outcome = refundShares(payment, shares, 'order_not_confirmed', now);
  if (outcome.payment.status !== 'SUCCESS') return outcome;
  return { ...outcome, due: [...outcome.due, task(payment, 'payment.transfer', now)] };
}
