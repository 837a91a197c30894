import type { ReconciliationKindName } from '@fundrail/contracts';

/** A disagreement as it was seen once. `object` names it within its kind; `facts` are both sides, without personal data. */
export interface Finding {
  readonly kind: ReconciliationKindName;
  readonly object: string;
  readonly tenant: string | null;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** What is looked through: what was changed between these two times, business or wall time as the check's own rows have it. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
  /** The same in wall time. */
  readonly wallFrom: Date;
  readonly wallTo: Date;
}

export interface CheckPage {
  readonly found: readonly Finding[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: string | null;
  readonly looked: number;
}

/** What a person has allowed for this run. */
export interface Allowed {
  readonly acceptLostMoney: boolean;
}

/**
 * Compares rows of one service with what it can ask of somebody else, page by page. Runs outside any transaction. A neighbour or an
 * outside system that does not answer is an error: the page comes again.
 */
export abstract class ReconciliationCheck {
  /** Unique in the service. */
  abstract readonly name: string;

  /** The page after `cursor` (null: the first). */
  abstract page(cursor: string | null, window: Window): Promise<CheckPage>;

  /** Of these, what is still so: rows change while they are looked at. */
  abstract again(findings: readonly Finding[], window: Window): Promise<readonly Finding[]>;

  /** Asks again what may mend it, or answers false where only a person can. Once a run. */
  repair(_finding: Finding, _allowed: Allowed): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** A disagreement about an object that one side cannot even ask about now: no finding, and no agreement either. */
export class Unanswered extends Error {}
