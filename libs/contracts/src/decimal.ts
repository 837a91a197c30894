import { z } from 'zod';
import { JsonNumber, plainNumber } from './json.ts';

const SCALE = 10_000n;
const TEXT = /^(-?)(\d{1,18})(?:\.(\d{1,4})0*)?$/;

/**
 * An exact decimal with four places: an amount in rupees, a number of units or a NAV. Held as a whole number of
 * ten-thousandths, printed in JSON with all four places (`1001.0000`, CONV-27).
 */
export class Decimal {
  private readonly tenThousandths: bigint;

  private constructor(tenThousandths: bigint) {
    this.tenThousandths = tenThousandths;
  }

  /** Reads `1001`, `1001.5` or `1001.5000` (also PostgreSQL's `numeric` text). Throws `RangeError` on anything else. */
  static parse(text: string): Decimal {
    const match = TEXT.exec(text);
    if (!match) throw new RangeError(`not a decimal with at most four places: ${text.slice(0, 40)}`);
    const [, sign, whole = '0', fraction = ''] = match;
    const value = BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, '0'));
    return new Decimal(sign === '-' ? -value : value);
  }

  /** 1 rupee is 100 paise. */
  static ofPaise(paise: number | bigint): Decimal {
    return new Decimal(BigInt(paise) * 100n);
  }

  static sum(values: Iterable<Decimal>): Decimal {
    let total = 0n;
    for (const value of values) total += value.tenThousandths;
    return new Decimal(total);
  }

  plus(other: Decimal): Decimal {
    return new Decimal(this.tenThousandths + other.tenThousandths);
  }

  minus(other: Decimal): Decimal {
    return new Decimal(this.tenThousandths - other.tenThousandths);
  }

  /** Negative, zero or positive, as for `Array.prototype.sort`. */
  compare(other: Decimal): number {
    return this.tenThousandths < other.tenThousandths
      ? -1
      : this.tenThousandths > other.tenThousandths
        ? 1
        : 0;
  }

  equals(other: Decimal): boolean {
    return this.tenThousandths === other.tenThousandths;
  }

  isPositive(): boolean {
    return this.tenThousandths > 0n;
  }

  /** How many decimal places the value really uses, 0 to 4. */
  places(): number {
    const fraction = this.toString().split('.')[1] ?? '';
    return fraction.replace(/0+$/, '').length;
  }

  /** The whole rupees: the sandbox decides by the last digit of this (SAND-3). */
  wholePart(): bigint {
    return this.tenThousandths / SCALE;
  }

  /** Whole paise. Throws `RangeError` when the value is not a whole number of paise. */
  toPaise(): number {
    if (this.tenThousandths % 100n !== 0n)
      throw new RangeError(`${this.toString()} is not a whole number of paise`);
    return Number(this.tenThousandths / 100n);
  }

  /** Two places, as UPI's `am` wants it. */
  toFixed2(): string {
    const paise = BigInt(this.toPaise());
    const digits = (paise < 0n ? -paise : paise).toString().padStart(3, '0');
    return `${paise < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  }

  /** Four places; the text form of PostgreSQL's `numeric(22,4)`. */
  toString(): string {
    const value = this.tenThousandths;
    const digits = (value < 0n ? -value : value).toString().padStart(5, '0');
    return `${value < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
  }

  /** What the `pg` driver sends for a parameter. */
  toPostgres(): string {
    return this.toString();
  }

  toJSON(): object {
    return JSON.rawJSON(this.toString());
  }
}

function toDecimal(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  const text =
    value instanceof JsonNumber
      ? plainNumber(value.source)
      : typeof value === 'number'
        ? String(value)
        : undefined;
  if (text === undefined || !TEXT.test(text)) return undefined;
  return Decimal.parse(text);
}

/** A decimal in an answer or an event: a JSON number with four places. */
export const decimal = z
  .unknown()
  .meta({
    type: 'number',
    format: 'decimal',
    description: 'decimal with four places',
    examples: [1001.0],
  })
  .transform((value, context): Decimal => {
    const parsed = toDecimal(value);
    if (parsed) return parsed;
    context.issues.push({ code: 'custom', message: 'must be a number', input: value });
    return z.NEVER;
  });

/** Numbers too long for a `Decimal`, refused for their size: long whole numbers, and those whose exponent `plainNumber` kept. */
const TOO_LONG = /^\d{19,}(?:\.0*)?$|^\d.*[eE]\+?\d+$/;

/** A number as a string, without an exponent; 40 characters are more than the largest amount has. */
const AS_STRING = /^(?=.{1,40}$)(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Reads a positive JSON number of a request, or the same as a string, with at most `places` decimals, at most `most`. Adds an issue to
 * `context` for anything else.
 */
export function readPositive(
  given: unknown,
  context: z.core.$RefinementCtx,
  places: number,
  most: Decimal,
): Decimal {
  const value = typeof given === 'string' && AS_STRING.test(given) ? new JsonNumber(given) : given;
  const refuse = (message: string) => {
    context.issues.push({ code: 'custom', message, input: given });
    return z.NEVER;
  };
  if (value === undefined) return refuse('is required');
  if (typeof value !== 'number' && !(value instanceof JsonNumber) && !(value instanceof Decimal))
    return refuse('must be a number');
  const parsed = toDecimal(value);
  const tooMuch = `must be at most ${most.toFixed2()}`;
  if (!parsed && value instanceof JsonNumber && TOO_LONG.test(plainNumber(value.source)))
    return refuse(tooMuch);
  if (!parsed || parsed.places() > places) return refuse(`must be a number with at most ${places} decimals`);
  if (!parsed.isPositive()) return refuse('must be greater than 0');
  return parsed.compare(most) > 0 ? refuse(tooMuch) : parsed;
}

/** The largest amount of one order: ₹10,000 crore, far above any scheme's limit and far below what a double keeps exactly. */
export const MOST_RUPEES = Decimal.parse('100000000000');

/** An amount in rupees in a request: a JSON number or a string, positive, at most two decimals and ₹1,00,00,00,00,000 (CONV-26, CONV-40). */
export const rupees = z
  .unknown()
  .meta({
    type: 'number',
    format: 'decimal',
    exclusiveMinimum: 0,
    description: 'rupees, at most two decimals',
    examples: [5000],
  })
  .transform((value, context): Decimal => readPositive(value, context, 2, MOST_RUPEES));

/** `₹1,00,000.00`: rupees in Indian grouping, for people. */
export function inRupees(amount: Decimal): string {
  const [whole = '0', paise = '00'] = amount.toFixed2().split('.');
  return `₹${whole.replaceAll(/\B(?=(\d{2})*\d{3}$)/g, ',')}.${paise}`;
}
