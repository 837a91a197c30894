import { ApiError, type ErrorBody, type FieldError } from '@fundrail/contracts';
import { isLostDatabase } from '@fundrail/messaging';
import { IllegalTransition } from '@fundrail/state-machines';
import { HttpException } from '@nestjs/common';
import { isKeyTakenOver, isRetryable } from '../../db/database-errors.ts';

/** Seconds after which a client may try again when a dependency is down or a key is in use. */
export const RETRY_AFTER_S = 1;

/** The refusal that an error is told as, or null for a defect of ours (500, its cause only in the log). */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof IllegalTransition) return new ApiError('ILLEGAL_TRANSITION', error.message);
  if (isKeyTakenOver(error)) return keyInUse();
  if (isLostDatabase(error) || isRetryable(error)) return unavailable();
  return refusalOfFramework(error);
}

/** 503: a part that the request needs does not answer. */
export function unavailable(message?: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, [], RETRY_AFTER_S);
}

/** 409: another request with the same key runs, or took it over. */
export function keyInUse(): ApiError {
  return new ApiError('IDEMPOTENCY_KEY_IN_USE', undefined, [], RETRY_AFTER_S);
}

/** What Fastify and Nest refuse by themselves, in our codes. Their messages name internals, so they are not passed on. */
function refusalOfFramework(error: unknown): ApiError | null {
  const status = error instanceof HttpException ? error.getStatus() : statusCodeOf(error);
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE');
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  // 414: a path segment longer than any id of ours.
  if (status === 404 || status === 414) return new ApiError('NOT_FOUND');
  if (status === 503) return unavailable();
  return status !== null && status >= 400 && status < 500 ? new ApiError('BAD_REQUEST_ERROR') : null;
}

function statusCodeOf(error: unknown): number | null {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' ? status : null;
}

/** What a 401 asks for (RFC 6750 §3): nothing is said of an error to whoever sent no token. */
export function challengeOf(authorization: string | undefined): string {
  const challenge = 'Bearer realm="fundrail"';
  return authorization === undefined ? challenge : `${challenge}, error="invalid_token"`;
}

/** The body of contract §0.1. */
export function errorBodyOf(refusal: ApiError, requestId: string): ErrorBody {
  const errors: FieldError[] = [...refusal.errors];
  const { status, code, message } = refusal;
  return { error: { status, code, message, errors, request_id: requestId } };
}
