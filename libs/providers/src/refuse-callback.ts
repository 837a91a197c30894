import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { BadSignature, CallbackUnresolved, UnreadableCallback } from './answer.ts';

/** Wall seconds after which a provider may resend a callback that could not be resolved. */
const COME_AGAIN_S = 5;

/**
 * Throws the error response for a callback that could not be read (GATE-7): `ValidationFailed` with the header `signature` or the
 * `field` of the body that identifies the object, `ApiError` 503 if it may be resolved later, and any other error unchanged.
 */
export function refuseCallback(error: unknown, signature: string, field = 'reference'): never {
  if (error instanceof BadSignature)
    throw new ValidationFailed([{ field: signature, message: 'does not sign this body' }]);
  if (error instanceof UnreadableCallback) throw new ValidationFailed([{ field, message: 'cannot be read' }]);
  if (error instanceof CallbackUnresolved)
    throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], COME_AGAIN_S);
  throw error;
}
