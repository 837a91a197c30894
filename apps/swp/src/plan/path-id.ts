import { ApiError, eitherId, planId, type EitherId } from '@fundrail/contracts';

/** Reads a plan's id in a path, `mfrp_…` included. Throws `NOT_FOUND`: what is no id of ours is nobody's. */
export function pathId(text: string): EitherId {
  const id = eitherId('redemptionPlan', planId(text));
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}
