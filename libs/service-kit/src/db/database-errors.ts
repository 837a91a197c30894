import pg from 'pg';

const UNIQUE_VIOLATION = '23505';
// https://www.postgresql.org/docs/18/errcodes-appendix.html
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
// Raised by complete_idempotency_key(), see service-kit.migration.ts.
const KEY_TAKEN_OVER = 'FR001';

function codeOf(error: unknown): string | undefined {
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

/** Whether the values themselves were refused (data exceptions, broken constraints): the same again would be refused again. */
export function isRefusedByData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/** Serialisation failure or deadlock: the whole transaction may be tried again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** A lock was not to be had within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/** Another request took the Idempotency-Key over; this one's effect was rolled back. */
export function isKeyTakenOver(error: unknown): boolean {
  return codeOf(error) === KEY_TAKEN_OVER;
}
