import { request as send, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

/** A request that was read completely, so that it can be sent more than once. */
export interface WholeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Headers that belong to one connection and not to the message (RFC 9110 §7.6.1). */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]);

/** Sends it to `upstream` on a new connection. Rejects with the system's error when there is no answer. */
export function forward(
  upstream: string,
  { method, path, headers, body }: WholeRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(upstream);
  return new Promise((resolve, reject) => {
    send({ hostname, port, method, path, headers, agent: false, signal }, resolve)
      .once('error', reject)
      .end(body);
  });
}

/** The request's headers as they arrived, with a content length in place of chunked encoding. */
export function headersToPass(request: IncomingMessage, body: Buffer): OutgoingHttpHeaders {
  const headers = messageHeaders(request);
  return body.length > 0 ? { ...headers, 'content-length': body.length } : headers;
}

export function messageHeaders(message: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(message.headers).filter(([name]) => !OF_THE_CONNECTION.has(name)));
}
