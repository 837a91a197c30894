import type { ServiceName } from '@fundrail/contracts';
import type { FindingKind } from './finding.ts';

/** A rule, and a query for its breaches: each row is one, named by its `what`. */
export interface Rule {
  readonly of: ServiceName;
  /** The kind of its breaches. */
  readonly breach: FindingKind;
  readonly says: string;
  readonly breaches: string;
}
