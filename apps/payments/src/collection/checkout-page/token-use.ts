import { note, task, type Outcome, type Payment } from '../../payment/payment.ts';
import { expiryOf } from '../collection.ts';

/** Why a token does not open the page (PAGE-4). */
export type Shut = 'unknown' | 'used' | 'expired' | 'over';

/** Why this payment's token does not open the page now, or null when it does. `used` comes before the other reasons. */
export function whyShut(payment: Payment, now: Date): Shut | null {
  if (payment.token_expires_at === null) return 'unknown';
  if (payment.token_used_at !== null) return 'used';
  const { status, failure_code, ending } = payment;
  const isLate = now >= payment.token_expires_at;
  if (status === 'PENDING' && ending === null) return isLate ? 'expired' : null;
  // A payment that ended in another way, by the SDK for example, is over and not expired.
  const endedByTime = failure_code === 'payment_expired' || ending === 'expire';
  return isLate && endedByTime ? 'expired' : 'over';
}

/**
 * The first GET uses up the token. From now on only the browser with the cookie of this hash sees the page. The payment
 * gets the longer expiry of an opened page (TIME-5).
 */
export function useToken(payment: Payment, session_hash: string, now: Date, fromCreationMs: number): Outcome {
  const longest = payment.created_at.getTime() + fromCreationMs;
  const expires_at = new Date(Math.max(expiryOf(payment).getTime(), longest));
  const opened = { token_used_at: now, page_session_hash: session_hash, expires_at };
  return { ...note(payment, 'open_page', opened), due: [task(payment, 'payment.expire', expires_at)] };
}
