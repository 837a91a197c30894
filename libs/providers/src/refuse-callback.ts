import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { BadSignature, CallbackUnresolved, UnreadableCallback } from './ports.ts';

/** Wall seconds after which a provider may send a callback again that could not be resolved. */
const COME_AGAIN_S = 5;

/**
 * Answers the sender of a callback that could not be read (contract §3), always by throwing: `ValidationFailed` naming the
 * header `signature` or the `field` of the body that says what it is about, `ApiError` 503 for what may be found out later, and
 * anything else as it is.
 */
export function refuseCallback(error: unknown, signature: string, field = 'reference'): never {
  if (error instanceof BadSignature)
    throw new ValidationFailed([{ field: signature, message: 'does not sign this body' }]);
  if (error instanceof UnreadableCallback) throw new ValidationFailed([{ field, message: 'cannot be read' }]);
  if (error instanceof CallbackUnresolved)
    throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], COME_AGAIN_S);
  throw error;
}
