import { z } from 'zod';
import { Decimal, readPositive } from './decimal.ts';

// Well below what the column can store; registrars allot at most four decimals.
const MOST_UNITS = Decimal.parse('100000000000');

/** A number of units in a request: a JSON number, positive, at most four decimals. */
export const fundUnits = z
  .unknown()
  .meta({
    type: 'number',
    format: 'decimal',
    exclusiveMinimum: 0,
    description: 'units, at most four decimals',
    examples: [10.5],
  })
  .transform((value, context): Decimal => readPositive(value, context, 4, MOST_UNITS));
