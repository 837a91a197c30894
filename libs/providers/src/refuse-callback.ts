import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { BadSignature, CallbackUnresolved, UnreadableCallback } from './answer.ts';

/** Wall seconds after which a provider may resend a callback that could not be resolved. */
const COME_AGAIN_S = 5;

/**
 * Reads a callback. Throws the error response for one that cannot be read (GATE-7): `ValidationFailed` with the header `signature` or the
 * `field` of the body that identifies the object, `ApiError` 503 if it may be resolved later, and any other error unchanged.
 */
export async function readOrRefuse<T>(
  read: () => T | Promise<T>,
  signature: string,
  field = 'reference',
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw refusalOf(error, signature, field);
  }
}

function refusalOf(error: unknown, signature: string, field: string): unknown {
  if (error instanceof BadSignature)
    return new ValidationFailed([{ field: signature, message: 'does not sign this body' }]);
  if (error instanceof UnreadableCallback)
    return new ValidationFailed([{ field, message: 'cannot be read' }]);
  if (error instanceof CallbackUnresolved)
    return new ApiError('SERVICE_UNAVAILABLE', undefined, [], COME_AGAIN_S);
  return error;
}
