import { ApiError, eitherId, planId, type EitherId } from '@fundrail/contracts';

/** Reads a plan's id from a path: the number or `mfrp_…`. Throws `NOT_FOUND` for text that is not an id of ours. */
export function pathId(text: string): EitherId {
  const id = eitherId('redemptionPlan', planId(text));
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}
