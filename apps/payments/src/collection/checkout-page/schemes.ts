import type { ShareRow } from '../../payment/payment.tables.ts';

/**
 * Schemes of the sandbox and of the examples in the documentation, by ISIN, with their names as AMFI publishes them. For other schemes the client
 * sends `display_names` when it creates the payment (decision 0040).
 */
const SCHEMES: Readonly<Record<string, string>> = {
  INF204K01HY3: 'Nippon India Small Cap Fund - Growth',
  INF209K01VD7: 'Aditya Birla Sun Life Liquid Fund - Direct Plan',
  INF209K01YN0: 'Aditya Birla Sun Life Banking & PSU Debt Fund - Direct Plan - Growth',
  INF846K01EW2: 'Axis ELSS Tax Saver Fund - Direct Plan - Growth',
};

/** Fund houses by the first seven characters of their ISINs, which identify the issuer. */
const HOUSES: Readonly<Record<string, string>> = {
  INF109K: 'ICICI Prudential Mutual Fund',
  INF173K: 'Sundaram Mutual Fund',
  INF174K: 'Kotak Mahindra Mutual Fund',
  INF179K: 'HDFC Mutual Fund',
  INF200K: 'SBI Mutual Fund',
  INF204K: 'Nippon India Mutual Fund',
  INF209K: 'Aditya Birla Sun Life Mutual Fund',
  INF769K: 'Mirae Asset Mutual Fund',
  INF846K: 'Axis Mutual Fund',
};
const ISSUER_LENGTH = 7;

/** The ISINs of the table. */
export const KNOWN_SCHEMES = Object.keys(SCHEMES);

/** The name of an order, as its payer sees it. */
interface SchemeName {
  /** The client's name for it, else the scheme's, else the ISIN. */
  readonly name: string;
  /** The fund house by the ISIN; null when the table does not contain it. */
  readonly house: string | null;
}

/** Null for a share without scheme and name, from an earlier release. */
export function schemeNameOf({
  scheme,
  display_name,
}: Pick<ShareRow, 'scheme' | 'display_name'>): SchemeName | null {
  const name = display_name ?? (scheme === null ? null : (known(SCHEMES, scheme) ?? scheme));
  if (name === null) return null;
  return { name, house: scheme === null ? null : known(HOUSES, scheme.slice(0, ISSUER_LENGTH)) };
}

function known(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
