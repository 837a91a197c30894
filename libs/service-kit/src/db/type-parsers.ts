import { Decimal } from '@fundrail/contracts';
import pg from 'pg';

const { INT8, NUMERIC, DATE } = pg.types.builtins;
// Its types allow only the oids that pg names; it accepts any number.
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
 * Parses column types to domain types: int8 → number, numeric → `Decimal`, date → `YYYY-MM-DD`; other types as in `pg`
 * (timestamptz → Date, jsonb parsed). Set only on this pool, so other users of `pg` in the process are not affected.
 */
export const domainTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? (getTypeParser(oid, format ?? 'text') as Parser);
  },
};
