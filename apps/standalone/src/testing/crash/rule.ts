import type { FindingKind } from './finding.ts';
import type { ProductService } from './product-databases.ts';

/** A rule, and a query for its breaches: each row is one, named by its `what`. */
export interface Rule {
  readonly of: ProductService;
  /** The kind of its breaches. */
  readonly breach: FindingKind;
  readonly says: string;
  readonly breaches: string;
}
