import { apply, checkoutMachine } from '@fundrail/state-machines';
import { note, task } from '../../payment/payment.ts';
import { checkoutOf, decided, type Collection, type CollectionOutcome } from '../collection.ts';

/** Why a token does not open the page (PAGE-4). */
export type Shut = 'unknown' | 'used' | 'expired' | 'over';

/** Why this payment's token does not open the page now, or null when it does. `used` comes before the other reasons. */
export function whyShut(payment: Collection, now: Date): Shut | null {
  const checkout = checkoutOf(payment);
  if (!checkout) return 'unknown';
  if (checkout.opened_at !== null) return 'used';
  const { status, failure_code } = payment;
  const { ending } = checkout;
  const isLate = now >= checkout.token_expires_at;
  if (status === 'PENDING' && ending === null) return isLate ? 'expired' : null;
  // A payment that ended in another way, by the SDK for example, is over and not expired.
  const endedByTime = failure_code === 'payment_expired' || ending === 'expire';
  return isLate && endedByTime ? 'expired' : 'over';
}

/**
 * The first GET uses up the token. From now on only the browser with the cookie of this hash sees the page. The payment
 * gets the longer expiry of an opened page (TIME-5).
 */
export function useToken(
  payment: Collection,
  session_hash: string,
  now: Date,
  fromCreationMs: number,
): CollectionOutcome {
  const checkout = checkoutOf(payment);
  if (!checkout) throw new Error(`payment ${payment.id} has no page`);
  const longest = payment.created_at.getTime() + fromCreationMs;
  const expires_at = new Date(Math.max(checkout.expires_at.getTime(), longest));
  const state = apply(checkoutMachine, checkout.state, 'open');
  const request = { ...checkout, state, opened_at: now, session_hash, expires_at };
  const due = [task(payment, 'payment.expire', expires_at)];
  return { ...decided({ ...payment, request }, note(payment, 'open_page')), due };
}
