import { ApiError, eitherId, planId, ValidationFailed, type EitherId } from '@fundrail/contracts';

/** Reads a plan's id from a path: the number, `mfpp_…`, or `mfrp_…` of a redemption plan. Throws `NOT_FOUND` for text that is not an id of ours. */
export function pathId(text: string, kind: 'redemptionPlan' | 'purchasePlan' = 'redemptionPlan'): EitherId {
  const id = eitherId(kind, planId(text));
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}

/** The body of a request on a path, with the path's id. Throws `ValidationFailed` when the body has another id. */
export function atPath<P extends { readonly id?: string | undefined }>(
  input: P,
  id: string,
): P & { readonly id: string } {
  if (input.id !== undefined && input.id !== id)
    throw new ValidationFailed([{ field: 'id', message: "must be the path's" }]);
  return { ...input, id };
}

/** The one plan of a request about one plan. */
export function first<D>(plans: D[]): D {
  const [plan] = plans;
  if (!plan) throw new Error('a request about one plan has no result');
  return plan;
}
