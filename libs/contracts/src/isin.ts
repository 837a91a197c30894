import { z } from 'zod';

/** The check digit of ISO 6166: letters become two digits (A = 10), then the Luhn sum over all digits is a multiple of 10. */
function hasIsinCheckDigit(isin: string): boolean {
  const digits = [...isin].map((character) => parseInt(character, 36)).join('');
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The ISIN of an Indian mutual fund scheme: `INF…` with a valid check digit (ORD-6). */
export const mutualFundIsin = z
  .string()
  .regex(/^INF[0-9A-Z]{8}\d$/, 'must be the ISIN of an Indian mutual fund, INF and nine more characters')
  .refine(hasIsinCheckDigit, { message: 'has an invalid check digit' })
  .meta({ examples: ['INF209K01VD7'] });
