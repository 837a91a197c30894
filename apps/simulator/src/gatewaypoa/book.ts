import type { gatewaypoaWire } from '@fundrail/providers';

/** The values of `$1` to `$4` of a list's statement. */
export function bookValues({ from, to, after, limit }: gatewaypoaWire.BookQueryWire): readonly unknown[] {
  return [new Date(from), new Date(to), after, limit];
}

/** A page of a list by reference. A page that is not full is the last. */
export function bookOf<Row extends { readonly reference: string }, Item>(
  rows: readonly Row[],
  { limit }: gatewaypoaWire.BookQueryWire,
  toItem: (row: Row) => Item,
): { items: Item[]; next: string | null } {
  return { items: rows.map(toItem), next: rows.length < limit ? null : (rows.at(-1)?.reference ?? null) };
}
