import { eitherId, found, ValidationFailed, type EitherId, type IdKind } from '@fundrail/contracts';

/** Reads the id in a path: the number, or `mfp_…` of its kind. Throws `NOT_FOUND` for text that is not an id of ours. */
export function pathId(kind: IdKind, text: string): EitherId {
  return found(eitherId(kind, text));
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

/** The one object of a request about one. */
export function first<D>(objects: D[]): D {
  const [object] = objects;
  if (!object) throw new Error('a request about one object has no result');
  return object;
}
