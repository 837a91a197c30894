import { addDays, istDate, istInstant } from '@fundrail/contracts';
import { task, unchanged, type Outcome, type Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { refundShares } from './transfer.ts';

/** The time of the daily sweep in IST, and the minimum age of a paid payment by then (REF-11). */
const SWEEP_TIME = '23:00';
const SWEEP_LEAST_AGE_MS = 30 * 60_000;

/** The first 23:00 IST that is at least 30 minutes after the money came in. */
export function sweepOf(paidAt: Date): Date {
  const least = new Date(paidAt.getTime() + SWEEP_LEAST_AGE_MS);
  const today = istInstant(istDate(least), SWEEP_TIME);
  return today >= least ? today : istInstant(addDays(istDate(least), 1), SWEEP_TIME);
}

/** Gives back the shares of the orders that were given up; the rest goes to the registrar. */
export function sweepUnconfirmed(payment: Payment, givenUp: ReadonlySet<number>, now: Date): Outcome {
  if (payment.status !== 'SUCCESS') return unchanged(payment);
  const shares = sharesLeft(payment).filter((share) => givenUp.has(share.old_id));
  const outcome = refundShares(payment, shares, 'order_not_confirmed', now);
  if (outcome.payment.status !== 'SUCCESS') return outcome;
  return { ...outcome, due: [...outcome.due, task(payment, 'payment.transfer', now)] };
}
