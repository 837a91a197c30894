import { ApiError, eitherId, ValidationFailed, type EitherId, type IdKind } from '@fundrail/contracts';

/** Reads the id in a path. Throws `NOT_FOUND` for text that is not an id of ours. */
export function pathId(kind: IdKind, text: string): EitherId {
  const id = eitherId(kind, text);
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}

/** The body of a PATCH on a path, with the path's id. Throws `ValidationFailed` when the body has another id. */
export function atPath<P extends { readonly id?: string | undefined }>(
  input: P,
  id: string,
): P & { readonly id: string } {
  if (input.id !== undefined && input.id !== id)
    throw new ValidationFailed([{ field: 'id', message: "must be the path's" }]);
  return { ...input, id };
}

/** The one order of a request about one order. */
export function first<D>(orders: D[]): D {
  const [order] = orders;
  if (!order) throw new Error('a request about one order has no result');
  return order;
}
