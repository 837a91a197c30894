const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

// 08 connection, 53 out of connections, memory or disk, 57P0x shut down or starting, 58 the system's I/O; 25006: a
// failover has left us on a read-only server. 28 and 3D000 occur only at login: a changed password, a server that is being
// restored.
const LOST_STATES = /^(08...|28...|3D000|53...|57P0[1-5]|58...|25006)$/;

// Messages of pg, pg-pool and TypeORM without a code for a lost connection, or a statement without an answer in time.
const LOST_MESSAGES =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|not queryable|after calling end on the pool|driver not connected|client was closed|connection ended/i;

/**
 * Whether an error means a lost database or connection, and not a fault of the work. Such work is retried without limit and
 * never parked (MSG-5). Checks TypeORM's wrapping and `cause` too.
 */
export function isLostDatabase(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause, driverError, errors } = error as Record<string, unknown>;
  if (typeof code === 'string' && (LOST_CODES.has(code) || LOST_STATES.test(code))) return true;
  if (typeof message === 'string' && LOST_MESSAGES.test(message)) return true;
  // Node throws an AggregateError when every address of a host refused.
  const inner: unknown[] = Array.isArray(errors) ? errors : [];
  return [cause, driverError, ...inner].some((nested) => nested !== error && isLostDatabase(nested));
}
