import type {} from './raw-json.d.ts';

/**
 * A JSON number that is not a plain safe integer, kept as the sender wrote it, so that no amount is ever a
 * binary float (CONV-29).
 */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): object {
    return JSON.rawJSON(this.source);
  }
}

/** The start of a number with a fraction, an exponent, or too many digits to be surely a safe integer. Also matches inside strings. */
const INEXACT_NUMBER = /(?:^|[[:,\s])-?(?:\d+[.eE]|\d{16})/;
/** The characters of `__proto__`, or an escape that can stand for one of them. */
const PROTO_KEY = /__proto__|\\u00[567]/i;

/**
 * Parses JSON like `JSON.parse`, but returns every number other than a plain safe integer as a `JsonNumber`.
 * Throws `SyntaxError` on malformed text and on a `__proto__` key, which no request has.
 */
export function parseJson(text: string): unknown {
  // A reviver is called for each value and takes sixty times as long as the parse, so it runs only when it may find something.
  if (!INEXACT_NUMBER.test(text) && !PROTO_KEY.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) => {
    if (key === '__proto__') throw new SyntaxError('the key __proto__ is not accepted');
    if (typeof value !== 'number') return value;
    return Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? '')
      ? value
      : new JsonNumber(context.source ?? String(value));
  });
}

const WITH_EXPONENT = /^(-?)(\d{1,60})(?:\.(\d{1,60}))?[eE]([+-]?)0*(\d+)$/;
/** A number of 60 digits with a larger exponent cannot be an amount. */
const LARGEST_EXPONENT = 99;

/**
 * A JSON number written without its exponent, with the same value: `1.0E7` becomes `10000000`. (Java prints a double that way from
 * one crore on.) A number with an exponent above 99 or more than 60 digits is not changed, so a short text never becomes a long one.
 */
export function plainNumber(source: string): string {
  const match = WITH_EXPONENT.exec(source);
  if (!match) return source;
  const [, sign = '', whole = '', fraction = '', minus = '', size = ''] = match;
  if (size.length > 2 || Number(size) > LARGEST_EXPONENT) return source;
  const digits = whole + fraction;
  const point = whole.length + (minus === '-' ? -1 : 1) * Number(size);
  const [before, after] =
    point <= 0
      ? ['0', '0'.repeat(-point) + digits]
      : [digits.slice(0, point).padEnd(point, '0'), digits.slice(point)];
  const plain = before.replace(/^0+(?=\d)/, '');
  return after === '' ? sign + plain : `${sign}${plain}.${after}`;
}

/** Prints JSON; a `Decimal` keeps its four decimals because its `toJSON` returns a raw number. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value);
}
