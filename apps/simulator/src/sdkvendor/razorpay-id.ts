import { randomInt } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 14;

/** Random letters and digits, as Razorpay's names consist of. */
export function drawLetters(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)] ?? '0').join('');
}

/** An id in Razorpay's format: a prefix for the type, and 14 letters and digits. */
export function razorpayId(
  kind: 'order' | 'pay' | 'rfnd' | 'evt' | 'cust' | 'token' | 'notification',
): string {
  return `${kind}_${drawLetters(LENGTH)}`;
}
