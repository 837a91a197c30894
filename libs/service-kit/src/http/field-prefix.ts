import { ValidationFailed } from '@fundrail/contracts';

/** The place of an object in the body of a request: alone, or in the list of a batch. */
export type FieldPrefix = 'alone' | 'mf_purchases' | 'mf_redemptions' | 'mf_purchase_plans';

/** The path of an object's field in the request's body: `amount` or `mf_purchases.2.amount`. */
export function fieldOf(prefix: FieldPrefix, index: number, field: string): string {
  return prefix === 'alone' ? field : `${prefix}.${index}.${field}`;
}

/** Runs a decision about the object at `index`. The field in a refusal gets its full path in the body. */
export function atField<T>(prefix: FieldPrefix, index: number, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    throw new ValidationFailed(
      error.errors.map(({ field, message }) => ({ field: fieldOf(prefix, index, field), message })),
    );
  }
}
