import type { CheckPage, Finding } from './reconciliation-check.ts';

/** A page of rows by a growing number: the rows that do not agree, and where the next page starts. */
export async function pageByNumber<Row>(
  rows: readonly Row[],
  most: number,
  numberOf: (row: Row) => number,
  compare: (rows: readonly Row[]) => Promise<readonly Finding[]>,
): Promise<CheckPage> {
  const last = rows.at(-1);
  return {
    found: rows.length === 0 ? [] : await compare(rows),
    next: last && rows.length === most ? String(numberOf(last)) : null,
    looked: rows.length,
  };
}

/** The items by their key, for comparing two lists. */
export function byKey<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, T> {
  return new Map(items.map((item) => [keyOf(item), item]));
}
