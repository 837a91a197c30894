import { ApiError, type ErrorBody, type FieldError, type TokenErrorDto } from '@fundrail/contracts';
import { isLostDatabase } from '@fundrail/messaging';
import { IllegalTransition } from '@fundrail/state-machines';
import { HttpException } from '@nestjs/common';
import type { RoutePolicy } from '../auth/route-policy.ts';
import { codeOf, isKeyTakenOver, isRetryable, isUnstorableText } from '../../db/database-errors.ts';

/** Seconds after which a client may try again when a dependency is down or a key is in use. */
const RETRY_AFTER_S = 1;

/** The refusal that answers an error, or null for our own defect (500, its cause only in the log). */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof IllegalTransition) return new ApiError('ILLEGAL_TRANSITION', error.message);
  if (isKeyTakenOver(error)) return keyInUse();
  // The client cut its body off: the code is that of a lost connection, but none of our dependencies is down.
  if (isCutOff(error)) return new ApiError('BAD_REQUEST_ERROR', 'The body is not complete.');
  if (isLostDatabase(error) || isRetryable(error)) return unavailable();
  // For example an id in a path that no schema checks.
  if (isUnstorableText(error))
    return new ApiError('BAD_REQUEST_ERROR', 'A text contains a character that cannot be stored.');
  return refusalOfFramework(error);
}

/** 503: a part that the request needs does not answer. */
export function unavailable(message?: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, [], RETRY_AFTER_S);
}

/** 409: another request with the same key runs, or took over the key. */
export function keyInUse(): ApiError {
  return new ApiError('IDEMPOTENCY_KEY_IN_USE', undefined, [], RETRY_AFTER_S);
}

/** Refusals of Fastify and Nest in our codes. Their messages name internals, so they are not passed on. */
function refusalOfFramework(error: unknown): ApiError | null {
  const status = error instanceof HttpException ? error.getStatus() : statusCodeOf(error);
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE');
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  // 414: a path segment longer than any of our ids.
  if (status === 404 || status === 414) return new ApiError('NOT_FOUND');
  if (status === 503) return unavailable();
  return status !== null && status >= 400 && status < 500 ? new ApiError('BAD_REQUEST_ERROR') : null;
}

/** Fastify's errors about a client have a status; an error of the database has none. */
function isCutOff(error: unknown): boolean {
  return statusCodeOf(error) === 400 && codeOf(error) === 'ECONNRESET';
}

function statusCodeOf(error: unknown): number | null {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : null;
}

/** The refusals of a body that a route may answer in the form of RFC 6749 §5.2. */
const OF_THE_BODY = new Set([400, 413, 415]);

/** `invalid_request` with the reason, for a route that answers like OAuth; null when our own shape applies. */
export function oauthBodyOf(refusal: ApiError, { errors }: RoutePolicy = {}): TokenErrorDto | null {
  if (errors !== 'oauth' || !OF_THE_BODY.has(refusal.status)) return null;
  return { error: 'invalid_request', error_description: refusal.message };
}

/** The body of ERR-1, with the policy that refused (ERR-13). */
export function errorBodyOf(refusal: ApiError, requestId: string): ErrorBody {
  const errors: FieldError[] = [...refusal.errors];
  const { status, code, message, policy } = refusal;
  return { error: { status, code, message, errors, request_id: requestId, ...(policy && { policy }) } };
}
