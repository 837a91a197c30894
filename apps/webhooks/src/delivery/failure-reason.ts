import { RefusedAddress } from '../target/public-lookup.ts';

const CLOSED = 'the connection was closed before the answer was complete';
const UNREACHABLE = 'the host cannot be reached';
const UNRESOLVED = 'the host does not resolve';
const HANDSHAKE = 'the TLS handshake failed';
const UNTRUSTED =
  'the TLS certificate is not signed by an authority that is known, or its chain is incomplete';

/** The reasons shown to a client, by the codes of Node, c-ares, OpenSSL and undici. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOTFOUND: UNRESOLVED,
  ENODATA: UNRESOLVED,
  ESERVFAIL: UNRESOLVED,
  ETIMEOUT: UNRESOLVED,
  EAI_AGAIN: UNRESOLVED,
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  CERT_NOT_YET_VALID: 'the TLS certificate is not valid yet',
  CERT_REVOKED: 'the TLS certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host',
  EPROTO: HANDSHAKE,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
};
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** The reason for a missing response, for the client: a sentence, and the code if there is one. */
export function failureReason(error: unknown, timeoutMs: number): string {
  if (error instanceof RefusedAddress) return error.message;
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'TimeoutError') return noAnswer(timeoutMs);
  // undici's response parser does not always set a code.
  if (name === 'HTTPParserError') return 'the answer is not HTTP/1.1';
  if (typeof code !== 'string') return 'no answer';
  if (TIMEOUTS.has(code)) return noAnswer(timeoutMs);
  const reason = REASONS[code] ?? (code.startsWith('ERR_SSL_') ? HANDSHAKE : 'no answer');
  return `${reason} (${code})`;
}

function noAnswer(timeoutMs: number): string {
  return `no answer within ${timeoutMs} ms`;
}
