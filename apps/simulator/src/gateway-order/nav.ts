import { Decimal } from '@fundrail/contracts';

/**
 * The played registrar's prices: there is no scheme master (contract §10 "Orders"), so each scheme has one NAV, made from
 * the letters of its ISIN, between ₹10 and ₹509.9999.
 */
export function navOf(scheme: string): Decimal {
  let mixed = 7n;
  for (const letter of scheme) mixed = (mixed * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 5_000_000n;
  return fromTenThousandths(100_000n + mixed);
}

/** Units for an amount, cut off after three places, as registrars allot them. */
export function unitsFor(amount: Decimal, nav: Decimal): Decimal {
  const thousandths = (tenThousandths(amount) * 1000n) / tenThousandths(nav);
  return fromTenThousandths(thousandths * 10n);
}

/** What units are worth, cut off at whole paise. */
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
