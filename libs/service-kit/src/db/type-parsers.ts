import { Decimal } from '@fundrail/contracts';
import pg from 'pg';

const { INT8, NUMERIC, DATE } = pg.types.builtins;
// Declared for the types that pg has a name for; it takes any number.
const getTypeParser = pg.types.getTypeParser as (oid: number, format: 'text' | 'binary') => unknown;

/** int8 → number, and never a silently rounded one. */
function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`int8 ${text} is beyond the exact range of a number`);
  return value;
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, exactInteger],
  [NUMERIC, (text) => Decimal.parse(text)],
  [DATE, (text) => text],
]);

type Parser = (value: string) => unknown;

/**
 * The column types of this pool in domain types: int8 → number, numeric → `Decimal`, date → `YYYY-MM-DD`; the rest as `pg`
 * has it (timestamptz → Date, jsonb parsed). Given to the pool alone, so that no other user of `pg` in the process is changed.
 */
export const domainTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? (getTypeParser(oid, format ?? 'text') as Parser);
  },
};
