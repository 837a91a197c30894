import { ApiError } from '@fundrail/contracts';
import pg from 'pg';

const UNIQUE_VIOLATION = '23505';
// https://www.postgresql.org/docs/18/errcodes-appendix.html
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
// character_not_in_repertoire and untranslatable_character.
const UNSTORABLE = new Set(['22021', '22P05']);
// Raised by complete_idempotency_key(), see service-kit.migration.ts.
const KEY_TAKEN_OVER = 'FR001';

/** The code of an error of PostgreSQL or Node. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Whether the statement broke that unique constraint or index (any of them, when none is named). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || error.constraint === constraint;
}

/** The constraint that a statement broke, or null. */
export function brokenConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.constraint ?? null) : null;
}

/** Whether the values themselves were refused (data exceptions, broken constraints), so that a retry would be refused too. */
export function isRefusedByData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/** A text with a NUL, or with a JSON escape that is not a character. Such a text comes from a client. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNSTORABLE.has(error.code ?? '');
}

/** Serialisation failure or deadlock: the whole transaction may be tried again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** A lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/**
 * Another request took over the Idempotency-Key, and this request was rolled back: that request continues with the same id. The
 * database reports it by SQLSTATE, `Caller.answer` by `ApiError`.
 */
export function isKeyTakenOver(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'IDEMPOTENCY_KEY_IN_USE';
  return codeOf(error) === KEY_TAKEN_OVER;
}
