import type { ReconciliationKindName } from '@fundrail/contracts';

/** A disagreement at one check. `object` names it within its kind; `facts` describe both sides, without personal data. */
export interface Finding {
  readonly kind: ReconciliationKindName;
  readonly object: string;
  readonly tenant: string | null;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** The rows to compare: those changed between these times. Checks use business or wall time, like their own rows. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
  /** The same in wall time. */
  readonly wallFrom: Date;
  readonly wallTo: Date;
}

export interface CheckPage {
  readonly found: readonly Finding[];
  /** Where the next page starts; null: this was the last one. */
  readonly next: string | null;
  readonly looked: number;
}

/** What an operator has allowed for this run. */
export interface Allowed {
  readonly acceptLostMoney: boolean;
}

/**
 * Compares rows of one service with another service or an outside system, page by page. Runs outside any transaction. When the other
 * side does not answer, that is an error, and the page is retried.
 */
export abstract class ReconciliationCheck {
  /** Unique in the service. */
  abstract readonly name: string;

  /** The page after `cursor` (null: the first). */
  abstract page(cursor: string | null, window: Window): Promise<CheckPage>;

  /** The findings that still hold, because rows may have changed since the first check. */
  abstract again(findings: readonly Finding[]): Promise<readonly Finding[]>;

  /** Repeats the call that may repair the finding, or returns false when only an operator can. Called once in a run. */
  repair(_finding: Finding, _allowed?: Allowed): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** The other side gave no answer about an object, so there is neither a finding nor an agreement. */
export class Unanswered extends Error {}
