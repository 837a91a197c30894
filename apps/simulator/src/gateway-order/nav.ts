import { Decimal, type SchemeCategory } from '@fundrail/contracts';

/** The schemes of the sandbox that are not of the category `other`, by ISIN (SAND-18). */
const CATEGORIES: ReadonlyMap<string, SchemeCategory> = new Map([
  ['INF000F01LQ3', 'liquid'],
  ['INF000F01ON4', 'overnight'],
]);

/** What the simulated gateway reports about a scheme in its review. */
export function categoryOf(scheme: string): SchemeCategory {
  return CATEGORIES.get(scheme) ?? 'other';
}

/**
 * The simulated registrar's prices: there is no scheme master (ORD-6, SAND-17), so each scheme has one NAV between ₹10 and ₹509.9999,
 * derived from the letters of its ISIN.
 */
export function navOf(scheme: string): Decimal {
  let mixed = 7n;
  for (const letter of scheme) mixed = (mixed * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 5_000_000n;
  return fromTenThousandths(100_000n + mixed);
}

/** Units for an amount, truncated to three decimals, as registrars allot them. */
export function unitsFor(amount: Decimal, nav: Decimal): Decimal {
  const thousandths = (tenThousandths(amount) * 1000n) / tenThousandths(nav);
  return fromTenThousandths(thousandths * 10n);
}

/** The value of units, truncated to whole paise. */
export function valueOf(units: Decimal, nav: Decimal): Decimal {
  return Decimal.ofPaise((tenThousandths(units) * tenThousandths(nav)) / 1_000_000n);
}

function tenThousandths(value: Decimal): bigint {
  return BigInt(value.toString().replace('.', ''));
}

function fromTenThousandths(value: bigint): Decimal {
  const digits = value.toString().padStart(5, '0');
  return Decimal.parse(`${digits.slice(0, -4)}.${digits.slice(-4)}`);
}
