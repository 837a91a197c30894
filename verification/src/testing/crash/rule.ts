import type { ServiceName } from '@fundrail/contracts';
import type { FindingKind, SidesOf } from './finding.ts';

/** A rule, and a query for its breaches: each row is one, named by its `what`. */
export interface Rule {
  readonly of: ServiceName;
  /** The kind of its breaches. */
  readonly breach: FindingKind;
  readonly says: string;
  readonly breaches: string;
}

/** Facts of a service, and a query for the same facts at another one: each row is one, its `value`. */
export interface Pair {
  readonly what: string;
  readonly of: ServiceName;
  readonly ours: string;
  readonly at: ServiceName;
  readonly theirs: string;
  readonly kinds: SidesOf;
}
