import type {} from './raw-json.d.ts';

/**
 * A JSON number that is not a plain safe integer, kept as the characters the sender wrote, so that no amount is ever a
 * binary float (architecture, rule 7).
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

/**
 * Parses JSON like `JSON.parse`, but answers every number other than a plain safe integer as a `JsonNumber`.
 * Throws `SyntaxError` on malformed text and on a `__proto__` key, which no request of ours has.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value, context) => {
    if (key === '__proto__') throw new SyntaxError('the key __proto__ is not accepted');
    if (typeof value !== 'number') return value;
    return Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? '')
      ? value
      : new JsonNumber(context.source ?? String(value));
  });
}

/** Prints JSON; a `Decimal` keeps its four decimals because its `toJSON` answers a raw number. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value);
}
