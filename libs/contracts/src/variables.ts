import { z } from 'zod';

/** The fewest characters of a secret. */
export const LEAST_SECRET = 32;

/** A random secret has more: 32 random hexadecimal digits practically never have fewer than 8 different ones. */
const LEAST_DISTINCT = 8;
/** What a message says of a secret that is not varied. */
export const DISTINCT_RULE = `must have at least ${LEAST_DISTINCT} different characters`;

/** Whether a secret is more than a repeated letter or short word. */
export function isVaried(secret: string): boolean {
  return new Set(secret).size >= LEAST_DISTINCT;
}

/** For schemas of secrets with a length that we do not set. */
export const variedSecret = [isVaried, DISTINCT_RULE] as const;

/** A secret: at least 32 characters, 8 of them different. No message shows it. */
export const secretVariable = z
  .string('give a secret of at least 32 characters')
  .min(LEAST_SECRET, 'must have at least 32 characters')
  .refine(...variedSecret);

/** An http or https address. */
export const urlVariable = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** An http or https address that paths are appended to. */
export const baseUrlVariable = urlVariable.refine(
  (text) => !/[?#]/.test(text) && URL.parse(text)?.username === '' && URL.parse(text)?.password === '',
  'must be an address without a query, a fragment and credentials',
);
