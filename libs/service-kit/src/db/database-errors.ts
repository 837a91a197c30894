import pg from 'pg';

const UNIQUE_VIOLATION = '23505';
// https://www.postgresql.org/docs/18/errcodes-appendix.html
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** Connection trouble besides class 08: shutting down, crash recovery, starting up, too many connections. */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300']);
const SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);

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

/** Serialisation failure or deadlock: the whole transaction may be tried again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** The database does not answer: a 503, never a 500. */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown);
  const code = codeOf(error);
  if (code !== undefined && (code.startsWith('08') || UNAVAILABLE.has(code) || SOCKET_ERRORS.has(code))) return true;
  return error instanceof Error && LOST_CONNECTION.test(error.message);
}

// What pg and pg-pool say without a code.
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;
