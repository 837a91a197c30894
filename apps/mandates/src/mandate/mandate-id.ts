import { ApiError, eitherId, type EitherId } from '@fundrail/contracts';

/** Reads a path's id: a mandate's number or its `mandate_ref`. Throws `NOT_FOUND`: what is no id of ours is nobody's. */
export function mandateId(text: string): EitherId {
  const id = eitherId('mandate', text);
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}
