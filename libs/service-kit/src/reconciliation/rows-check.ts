import { RECONCILIATION_PAGE } from '@fundrail/contracts';
import { edgeOf, withoutYoung } from './compare.ts';
import { DeclaredCheck, type Declared } from './declared-check.ts';
import type { CheckPage, Finding, Window } from './reconciliation-check.ts';

/** A check that pages through rows and compares those that are wanted. */
export interface RowsDeclared<Row> extends Declared {
  /** The next rows after this place (empty: the first), at most `most`. */
  readonly rows: (after: string, window: Window) => Promise<readonly (Row & { readonly wanted?: boolean })[]>;
  readonly placeOf: (row: Row) => string | number;
  /** A page of reconciliation when left out. */
  readonly most?: number;
  /** A younger row may be on its way to the other side. */
  readonly graceMs?: number;
  /** Those of a page's findings whose row is older, and known to be on its way all the same. */
  readonly onTheWay?: (found: readonly Finding[]) => Promise<readonly Finding[]>;
  /** The rows of these findings as they are now. */
  readonly named: (findings: readonly Finding[]) => Promise<readonly Row[]>;
  /** Of at least one row. */
  readonly compare: (rows: readonly Row[]) => Promise<readonly Finding[]>;
}

/** Carries out such a declaration. */
export class RowsCheck<Row> extends DeclaredCheck<RowsDeclared<Row>> {
  async page(cursor: string | null, window: Window): Promise<CheckPage> {
    const { rows, placeOf, most = RECONCILIATION_PAGE, graceMs = 0, onTheWay } = this.declared;
    const page = await rows(cursor ?? '', withoutYoung(window, graceMs));
    const found = await this.compare(page.filter(({ wanted = true }) => wanted));
    const late = new Set(await onTheWay?.(found));
    return { found: found.filter((one) => !late.has(one)), ...edgeOf(page, most, placeOf) };
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return this.compare(await this.declared.named(findings));
  }

  private async compare(rows: readonly Row[]): Promise<readonly Finding[]> {
    return rows.length === 0 ? [] : this.declared.compare(rows);
  }
}

/** The objects that these findings are about. */
export function objectsIn(findings: readonly Finding[]): string[] {
  return findings.map(({ object }) => object);
}

/** The same when they are numbers. */
export function numbersIn(findings: readonly Finding[]): number[] {
  return objectsIn(findings).map(Number);
}
