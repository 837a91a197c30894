import { ApiError, eitherId, type EitherId } from '@fundrail/contracts';

/** Reads the id in a path: a mandate's number or its `mandate_ref`. Throws `NOT_FOUND` for text that is not an id of ours. */
export function mandateId(text: string): EitherId {
  const id = eitherId('mandate', text);
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}
