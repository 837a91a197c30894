import { randomInt } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 14;

/** An id in Razorpay's format: a prefix for the type, and 14 letters and digits. */
export function razorpayId(
  kind: 'order' | 'pay' | 'rfnd' | 'evt' | 'cust' | 'token' | 'notification',
): string {
  const drawn = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)] ?? '0');
  return `${kind}_${drawn.join('')}`;
}
