import type { FastifyInstance } from 'fastify';

/** Headers by lower-case name. */
export type SafeHeaders = Readonly<Record<string, string>>;

/** Allow an answer nothing in a browser. Pages declare their own rights (`pageHeaders`). */
export const SAFE_HEADERS: SafeHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** RFC 6797: for a year, a browser that has seen this header uses only https. */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

/** `SAFE_HEADERS`, plus `Strict-Transport-Security` when clients reach us by https. Over http browsers ignore that header. */
export function safeHeaders(publicBaseUrl: string | null | undefined): SafeHeaders {
  const isHttps = publicBaseUrl != null && new URL(publicBaseUrl).protocol === 'https:';
  return isHttps ? { ...SAFE_HEADERS, 'strict-transport-security': STRICT_TRANSPORT } : SAFE_HEADERS;
}

/** Adds the headers that an answer does not have. Answers to a token are not cached, because most are about a person. */
export function sendSafeHeaders(fastify: FastifyInstance, headers: SafeHeaders): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // Undefined without the kit's doorkeeper.
    const isOfCaller = (request.caller ?? null) !== null;
    if (isOfCaller && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    for (const [name, value] of Object.entries(headers))
      if (!reply.hasHeader(name)) void reply.header(name, value);
    done(null, payload);
  });
}
