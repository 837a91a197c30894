import type { ReconciliationKindName } from '@fundrail/contracts';
import type { CheckPage, Finding, Window } from './reconciliation-check.ts';

/** What a finding says whatever its kind is. */
export type About = Omit<Finding, 'kind'>;

/** By kind of finding, its facts besides those in `About`. A kind with none, as false, is not found. */
export type Differences = Partial<Record<ReconciliationKindName, Finding['facts'] | false>>;

/** How the rows of one side are compared with what the other side has. */
export interface Sides<Row, Other> {
  /** Null: the other side cannot have it. */
  readonly keyOf: (row: Row) => string | number | null;
  readonly otherKeyOf: (other: Other) => string | number;
  readonly about: (row: Row, other?: Other) => About;
  /** When the other side has nothing under the row's key. */
  readonly missing: (row: Row) => Differences;
  /** When it has something; called for each. */
  readonly differing: (row: Row, other: Other) => Differences;
}

/** The findings about these rows, in their order. The other side was asked about them, so what only it has is no finding. */
export function compare<Row, Other>(
  rows: readonly Row[],
  others: readonly Other[],
  { keyOf, otherKeyOf, about, missing, differing }: Sides<Row, Other>,
): readonly Finding[] {
  const byKey = Map.groupBy<string | number | null, Other>(others, otherKeyOf);
  return rows.flatMap((row) => {
    const same = byKey.get(keyOf(row));
    if (!same) return findings(about(row), missing(row));
    return same.flatMap((other) => findings(about(row, other), differing(row, other)));
  });
}

/** One of each kind that has facts. */
export function findings({ object, tenant, facts }: About, differences: Differences): Finding[] {
  return Object.entries(differences).flatMap(([kind, more]) =>
    more ? [{ kind: kind as ReconciliationKindName, object, tenant, facts: { ...facts, ...more } }] : [],
  );
}

/** The window without its last moments: what is that young may be on its way to the other side. */
export function withoutYoung(window: Window, graceMs: number): Window {
  const before = (time: Date) => new Date(time.getTime() - graceMs);
  return { ...window, to: before(window.to), wallTo: before(window.wallTo) };
}

/** Where the page after these rows starts; one with fewer than `most` is the last. */
export function edgeOf<Row>(
  rows: readonly Row[],
  most: number,
  placeOf: (row: Row) => string | number,
): Pick<CheckPage, 'next' | 'looked'> {
  const last = rows.at(-1);
  return { next: last && rows.length === most ? String(placeOf(last)) : null, looked: rows.length };
}
