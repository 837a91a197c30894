import type { gatewaypoaWire } from '@fundrail/providers';

type Query = gatewaypoaWire.BookQueryWire;

/** The conditions of a page of a list, and the page: the rows accepted between two times, by reference. */
export function pageOf({ from, to, after, limit }: Query) {
  const where = { created_at: { from: new Date(from), to: new Date(to) }, reference: { after } };
  return [where, 't.reference', { limit }] as const;
}

/** A page of a list by reference. A page that is not full is the last. */
export function bookOf<Row extends { readonly reference: string }, Item>(
  rows: readonly Row[],
  { limit }: Query,
  toItem: (row: Row) => Item,
): { items: Item[]; next: string | null } {
  return { items: rows.map(toItem), next: rows.length < limit ? null : (rows.at(-1)?.reference ?? null) };
}
