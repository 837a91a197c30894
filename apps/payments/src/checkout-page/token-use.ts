import { expiryOf, note, task } from '../payment/payment.ts';
import type { Outcome, Payment } from '../payment/payment.ts';

/** Why a token opens nothing (contract §3 "Times", §10 "Payments"). */
export type Shut = 'unknown' | 'used' | 'expired' | 'over';

/** Why this payment's token opens nothing now, or null when it does. A token that was used up is told first. */
export function whyShut(payment: Payment, now: Date): Shut | null {
  if (payment.token_expires_at === null) return 'unknown';
  if (payment.token_used_at !== null) return 'used';
  if (now >= payment.token_expires_at) return 'expired';
  return payment.status === 'PENDING' && payment.ending === null ? null : 'over';
}

/**
 * The first GET: the token is used up, and only the browser whose cookie has this hash sees the page again. The payment
 * now waits as long as one that was opened may (contract §3 "Times").
 */
export function useToken(payment: Payment, session_hash: string, now: Date, fromCreationMs: number): Outcome {
  const whole = payment.created_at.getTime() + fromCreationMs;
  const expires_at = new Date(Math.max(expiryOf(payment).getTime(), whole));
  const opened = { token_used_at: now, page_session_hash: session_hash, expires_at };
  return { ...note(payment, 'open_page', opened), due: [task(payment, 'payment.expire', expires_at)] };
}
