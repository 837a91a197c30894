import type { FastifyInstance } from 'fastify';

/** What an answer may do in a browser: nothing. Pages say themselves what they may (`pageHeaders`). Names in lower case. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Puts them on every answer that does not have them. */
export function sendSafeHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS))
      if (!reply.hasHeader(name)) void reply.header(name, value);
    done(null, payload);
  });
}
