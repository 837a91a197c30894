import { errorBody, ERRORS, type ErrorCode } from '@fundrail/contracts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SAFE_HEADERS, type SafeHeaders } from './safe-headers.ts';

/** How long a client may take, and how much it may send before a route is known. Wall milliseconds and bytes. */
export interface ServerBounds {
  /** From the first byte to the end of the headers. */
  readonly headersMs: number;
  /** From the first byte to the last one of the body. An answer may take longer. */
  readonly requestMs: number;
  /** How long a connection stays open without a running request, or with a client that does not read its answer. */
  readonly idleMs: number;
  /** How often the first two are checked, which is how much later a slow client may be cut off. */
  readonly checkMs: number;
  readonly headerBytes: number;
  /** The most requests of a connection that wait for their answers; a further one ends the connection. */
  readonly pipelined: number;
  /** The most connections of a process; further ones are closed. */
  readonly connections: number;
  /** The most bytes of all incomplete bodies of a process. */
  readonly unfinishedBytes: number;
}

export const SERVER_BOUNDS: ServerBounds = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than the usual 60 s of a proxy, so that we never close a connection that the proxy is about to use.
  idleMs: 72_000,
  checkMs: 1_000,
  // Enough for the longest token, 8 KiB, and 8 KiB of other headers.
  headerBytes: 16_384,
  // Proxies, browsers and HTTP libraries send one at a time unless configured otherwise.
  pipelined: 16,
  connections: 10_000,
  unfinishedBytes: 67_108_864,
};

/** The options for creating a server. */
export function serverOptions({ checkMs, headerBytes }: ServerBounds = SERVER_BOUNDS) {
  return { maxHeaderSize: headerBytes, connectionsCheckingInterval: checkMs };
}

/** Sets the limits of an existing server. Half-open connections end like idle ones. */
export function boundServer(server: Server, bounds: ServerBounds = SERVER_BOUNDS): void {
  server.headersTimeout = bounds.headersMs;
  server.requestTimeout = bounds.requestMs;
  server.keepAliveTimeout = bounds.idleMs;
  server.maxConnections = bounds.connections;
  // Ends a connection that never sends a request; `keepAliveTimeout` counts only after the first request.
  server.on('connection', (socket) => socket.setTimeout(bounds.idleMs, () => socket.destroy()));
  // Node hands over every request of a packet, so the listeners are called from here, and not for those beyond the limit.
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isWithin(bounds.pipelined, request, response)) return;
    waitForAnswer(response, bounds.idleMs);
    for (const listener of listeners) listener.call(server, request, response);
  });
}

const UNANSWERED = new WeakMap<Socket, number>();

/** Counts the unanswered requests of the connection. Ends it, and returns false, when this one is too many or comes after such a one. */
function isWithin(most: number, { socket }: IncomingMessage, response: ServerResponse): boolean {
  const count = (UNANSWERED.get(socket) ?? 0) + 1;
  UNANSWERED.set(socket, count);
  response.once('close', () => UNANSWERED.set(socket, (UNANSWERED.get(socket) ?? 1) - 1));
  if (count > most) socket.destroy();
  return !socket.destroyed;
}

/**
 * While an answer is prepared, its connection does not count as idle. Node clears the timer only for a kept-alive connection, not for
 * a connection's first request. When the answer is complete, the client has `idleMs` to read more of it.
 */
function waitForAnswer(response: ServerResponse, idleMs: number): void {
  // In a pipeline an answer is assigned the socket when its turn comes.
  if (response.socket) response.socket.setTimeout(0);
  else response.once('socket', (socket: Socket) => socket.setTimeout(0));
  response.once('prefinish', () => response.socket?.setTimeout(idleMs));
}

/** How long a refused client may take to read the answer, in wall milliseconds. */
const REFUSAL_READ_MS = 5_000;

/** The error code of connections that `boundUnfinishedBodies` ends. */
export const TOO_MANY_BODIES = 'FUNDRAIL_TOO_MANY_BODIES';

const REFUSED_AS: Readonly<Record<string, readonly [status: string, code: ErrorCode, message?: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'BAD_REQUEST_ERROR',
    'The headers are too large.',
  ],
  [TOO_MANY_BODIES]: ['503 Service Unavailable', 'SERVICE_UNAVAILABLE', 'Too much data is being received.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'BAD_REQUEST_ERROR', 'The request was sent too slowly.'],
};

/** Refuses data that is not an HTTP request or not complete in time, in the one shape of errors, and ends the connection. */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  safe: SafeHeaders = SAFE_HEADERS,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [line, code, message = ERRORS.BAD_REQUEST_ERROR.meaning] = REFUSED_AS[error.code ?? ''] ?? [
    '400 Bad Request',
    'BAD_REQUEST_ERROR',
  ];
  const request_id = randomUUID();
  const status = Number(line.slice(0, 3));
  const body = JSON.stringify(errorBody.parse({ error: { status, code, message, errors: [], request_id } }));
  const headers = [
    `HTTP/1.1 ${line}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${request_id}`,
    ...Object.entries(safe).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  // A client that keeps its side open would keep the request open too, and a client that does not read would never take the answer.
  socket.destroySoon();
  socket.setTimeout(REFUSAL_READ_MS, () => socket.destroy());
}
