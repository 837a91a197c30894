import { z } from 'zod';
import { splitSecrets } from '../crypto/data-cipher.ts';

/** An integer variable with a default. */
export function integerVariable(low: number, high: number, byDefault: number) {
  return wholeNumber(low, high).prefault(String(byDefault));
}

/** A whole number in digits, without a default. `of` says of what, as in ` of days`. */
export function wholeNumber(low: number, high: number, of = '') {
  const words = `must be a whole number${of} from ${low} to ${high}`;
  return z.string().transform((text, context) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= low && value <= high) return value;
    context.issues.push({ code: 'custom', message: words, input: text });
    return z.NEVER;
  });
}

/** A number in digits, with decimals where it needs some. `what` says of what, as in `number of hours`. Without a default. */
export function numberVariable(low: number, high: number, what = 'number') {
  const words = `must be a ${what} from ${low} to ${high}`;
  return z.string().transform((text, context) => {
    const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    if (value >= low && value <= high) return value;
    context.issues.push({ code: 'custom', message: words, input: text });
    return z.NEVER;
  });
}

/** A part of one, 0 to 1, with a default. */
export function ratioVariable(byDefault: number) {
  return z
    .string()
    .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .prefault(String(byDefault));
}

const LEAST_SECRET = 32;

/** A secret: at least 32 characters, never told in a message. */
export const secretVariable = z
  .string('give a secret of at least 32 characters')
  .min(LEAST_SECRET, 'must have at least 32 characters');

/** Secrets of which the first encrypts and all decrypt (`DataCipher`). A short one in the list is as weak as a short one alone. */
export const dataKeysVariable = secretVariable.refine(
  (secrets) => splitSecrets(secrets).every((secret) => secret.length >= LEAST_SECRET),
  'must have at least 32 characters in each of its secrets, which commas separate',
);

/** An http or https address. */
export const urlVariable = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
