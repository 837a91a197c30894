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
// failover has left us on a read-only server. 28 and 3D000 come at login alone: a changed password, a server that is being
// restored.
const LOST_STATES = /^(08...|28...|3D000|53...|57P0[1-5]|58...|25006)$/;

// What pg, pg-pool and TypeORM say without a code when the connection is gone, or a statement had no answer in time.
const LOST_MESSAGES =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|not queryable|after calling end on the pool|driver not connected|client was closed|connection ended/i;

/**
 * Says whether an error tells of a lost database or connection instead of the work that was done on it. Such work is
 * tried again for ever; it is never parked (architecture, rule 6). Looks through TypeORM's wrapping and `cause`.
 */
export function isLostDatabase(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause, driverError, errors } = error as Record<string, unknown>;
  if (typeof code === 'string' && (LOST_CODES.has(code) || LOST_STATES.test(code))) return true;
  if (typeof message === 'string' && LOST_MESSAGES.test(message)) return true;
  // An AggregateError is what Node gives when every address of a host refused.
  const inner: unknown[] = Array.isArray(errors) ? errors : [];
  return [cause, driverError, ...inner].some((nested) => nested !== error && isLostDatabase(nested));
}
