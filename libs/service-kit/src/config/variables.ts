import { DISTINCT_RULE, isVaried, LEAST_SECRET, secretVariable } from '@fundrail/contracts';
import { z } from 'zod';
import { DATA_FORMATS, splitSecrets } from '../crypto/data-cipher.ts';

export { baseUrlVariable, isVaried, secretVariable, urlVariable } from '@fundrail/contracts';

/** A bound or default; a function where it is a policy's, which the deployment may override after this file is read (POL-11). */
type Figure = number | (() => number);

function valueOf(figure: Figure): number {
  return typeof figure === 'function' ? figure() : figure;
}

/** An integer variable with a default. */
export function integerVariable(low: Figure, high: Figure, byDefault: Figure) {
  return wholeNumber(low, high).prefault(() => String(valueOf(byDefault)));
}

/** A whole number in digits, without a default. `of` names what it counts, as in ` of days`. */
export function wholeNumber(low: Figure, high: Figure, of = '') {
  return numberIn(/^\d+$/, low, high, `whole number${of}`);
}

/** A number in digits, with optional decimals and without a default. `what` names what it counts, as in `number of hours`. */
export function numberVariable(low: Figure, high: Figure, what = 'number') {
  return numberIn(/^\d*\.?\d+$/, low, high, what);
}

function numberIn(form: RegExp, low: Figure, high: Figure, what: string) {
  return z.string().transform((text, context) => {
    const value = form.test(text) ? Number(text) : NaN;
    const [least, most] = [valueOf(low), valueOf(high)];
    if (value >= least && value <= most) return value;
    context.issues.push({
      code: 'custom',
      message: `must be a ${what} from ${least} to ${most}`,
      input: text,
    });
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
