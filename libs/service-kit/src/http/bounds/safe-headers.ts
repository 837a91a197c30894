import type { FastifyInstance } from 'fastify';

/** Headers by their names in lower case. */
export type SafeHeaders = Readonly<Record<string, string>>;

/** What an answer may do in a browser: nothing. Pages say themselves what they may (`pageHeaders`). */
export const SAFE_HEADERS: SafeHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** RFC 6797: for a year, a browser that has seen this asks by https alone, whatever a link says. */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

/** `SAFE_HEADERS`, and where clients reach us by https the one that keeps them there. By http no browser would believe it. */
export function safeHeaders(publicBaseUrl: string | null | undefined): SafeHeaders {
  const isHttps = publicBaseUrl != null && new URL(publicBaseUrl).protocol === 'https:';
  return isHttps ? { ...SAFE_HEADERS, 'strict-transport-security': STRICT_TRANSPORT } : SAFE_HEADERS;
}

/** Puts them on every answer that does not have them. */
export function sendSafeHeaders(fastify: FastifyInstance, headers: SafeHeaders): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    for (const [name, value] of Object.entries(headers))
      if (!reply.hasHeader(name)) void reply.header(name, value);
    done(null, payload);
  });
}
