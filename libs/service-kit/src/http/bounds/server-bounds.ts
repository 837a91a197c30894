import { errorBody, ERRORS, type ErrorCode } from '@fundrail/contracts';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SAFE_HEADERS, type SafeHeaders } from './safe-headers.ts';

/** How long a client may take, and how much it may send before a route is known. Wall milliseconds and bytes. */
export interface ServerBounds {
  /** From the first byte to the end of the headers. */
  readonly headersMs: number;
  /** From the first byte to the last one of the body. An answer may take longer. */
  readonly requestMs: number;
  /** How long a connection without a request stays open. */
  readonly idleMs: number;
  /** How often the first two are looked at, so how much later a slow client may be cut off. */
  readonly checkMs: number;
  readonly headerBytes: number;
  /** Connections of a process; more are closed as they come. */
  readonly connections: number;
}

export const SERVER_BOUNDS: ServerBounds = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than a proxy's usual 60 s, so that never we are the one to close a connection that it is about to use.
  idleMs: 72_000,
  checkMs: 1_000,
  // A token of 8 KiB, as we read them at most, and twice that for all else.
  headerBytes: 16_384,
  connections: 10_000,
};

/** What a server is made with. */
export function serverOptions({ checkMs, headerBytes }: ServerBounds = SERVER_BOUNDS) {
  return { maxHeaderSize: headerBytes, connectionsCheckingInterval: checkMs };
}

/** Sets what can be set on a server that is there. Half-open connections end like idle ones. */
export function boundServer(server: Server, bounds: ServerBounds = SERVER_BOUNDS): void {
  server.headersTimeout = bounds.headersMs;
  server.requestTimeout = bounds.requestMs;
  server.keepAliveTimeout = bounds.idleMs;
  server.maxConnections = bounds.connections;
  // Before its first request a connection is not kept alive yet: this is what ends one that says nothing.
  server.on('connection', (socket) => socket.setTimeout(bounds.idleMs, () => socket.destroy()));
}

const REFUSED_AS: Readonly<Record<string, readonly [status: string, code: ErrorCode, message?: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'BAD_REQUEST_ERROR',
    'The headers are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'BAD_REQUEST_ERROR', 'The request came too slowly.'],
};

/** Answers what is no HTTP request, or not in time, in the one shape of errors, and ends the connection. */
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
}
