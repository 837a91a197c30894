import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

// Long enough for two trace ids; no character that could break a log line or a header.
const ACCEPTABLE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The client's `X-Request-Id` when it is acceptable, a new one otherwise (CONV-12). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}
