import { DISTINCT_RULE, isVaried, LEAST_SECRET, secretVariable } from '@fundrail/contracts';
import { z } from 'zod';
import { DATA_FORMATS, splitSecrets } from '../crypto/data-cipher.ts';

export { baseUrlVariable, isVaried, secretVariable, urlVariable } from '@fundrail/contracts';

/** An integer variable with a default. */
export function integerVariable(low: number, high: number, byDefault: number) {
  return wholeNumber(low, high).prefault(String(byDefault));
}

/** A whole number in digits, without a default. `of` names what it counts, as in ` of days`. */
export function wholeNumber(low: number, high: number, of = '') {
  const words = `must be a whole number${of} from ${low} to ${high}`;
  return z.string().transform((text, context) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= low && value <= high) return value;
    context.issues.push({ code: 'custom', message: words, input: text });
    return z.NEVER;
  });
}

/** A number in digits, with optional decimals and without a default. `what` names what it counts, as in `number of hours`. */
export function numberVariable(low: number, high: number, what = 'number') {
  const words = `must be a ${what} from ${low} to ${high}`;
  return z.string().transform((text, context) => {
    const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    if (value >= low && value <= high) return value;
    context.issues.push({ code: 'custom', message: words, input: text });
    return z.NEVER;
  });
}

/** A ratio from 0 to 1, with a default. */
export function ratioVariable(byDefault: number) {
  return z
    .string()
    .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .prefault(String(byDefault));
}

/** A list of secrets: the first encrypts and all decrypt (`DataCipher`). Each has to be as strong as a single one. */
export const dataKeysVariable = secretVariable
  .refine(
    (secrets) => splitSecrets(secrets).every((secret) => secret.length >= LEAST_SECRET),
    'must have at least 32 characters in each of its comma-separated secrets',
  )
  .refine((secrets) => splitSecrets(secrets).every(isVaried), `${DISTINCT_RULE} in each of its secrets`);

/** Which formats `DataCipher` writes and reads. */
export const dataFormatVariable = z
  .enum(DATA_FORMATS, { error: `must be ${DATA_FORMATS.join(', ')}` })
  .default('v2');
