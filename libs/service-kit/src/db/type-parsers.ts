import { Decimal } from '@fundrail/contracts';
import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

/** Thrown instead of a silently rounded integer: an int8 beyond a double's exact range. */
function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`int8 ${text} is beyond the exact range of a number`);
  return value;
}

const asText = (text: string): string => text;

/**
 * The column types of this pool in domain types: int8 → number, numeric → `Decimal`, date → `YYYY-MM-DD`; the rest as `pg`
 * has it (timestamptz → Date, jsonb parsed). Given to the pool alone, so that no other user of `pg` in the process is changed.
 */
export const domainTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return getTypeParser(oid, 'binary');
    if (oid === Number(builtins.INT8)) return exactInteger;
    if (oid === Number(builtins.NUMERIC)) return (text: string) => Decimal.parse(text);
    if (oid === Number(builtins.DATE)) return asText;
    return getTypeParser(oid, 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};
