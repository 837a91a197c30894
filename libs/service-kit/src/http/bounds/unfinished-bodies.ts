import type { FastifyInstance } from 'fastify';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { refuseConnection, TOO_MANY_BODIES } from './server-bounds.ts';
import type { SafeHeaders } from './safe-headers.ts';

/** The cost of a piece besides its bytes: Node keeps a Buffer for each chunk of a body, measured as 570 bytes for one byte. */
const PIECE_BYTES = 1_024;
/** 1 MiB in pieces of 256 bytes. A sender with smaller pieces than any network creates is refused before it displaces others. */
const MOST_PIECES = 4_096;

interface UnfinishedBody {
  bytes: number;
  pieces: number;
  readonly payload: Readable;
  readonly socket: Socket;
}

/**
 * Holds at most `mostBytes` of incomplete bodies over all connections; each piece counts 1 KiB in addition. When there are more, the
 * oldest body is refused (503) and its connection ends, so that slow senders make room for newer ones.
 */
export function boundUnfinishedBodies(fastify: FastifyInstance, mostBytes: number, safe: SafeHeaders): void {
  // A set keeps the order in which they started.
  const unfinished = new Set<UnfinishedBody>();
  let held = 0;
  const remove = (body: UnfinishedBody) => {
    if (unfinished.delete(body)) held -= body.bytes;
  };
  fastify.addHook('preParsing', ({ headers, raw }, _reply, payload: Readable, done) => {
    if (!hasBody(headers)) return done(null, payload);
    const body: UnfinishedBody = { bytes: 0, pieces: 0, payload, socket: raw.socket };
    unfinished.add(body);
    payload.on('data', (chunk: Buffer) => {
      if (!unfinished.has(body)) return;
      const cost = chunk.length + PIECE_BYTES;
      body.bytes += cost;
      body.pieces += 1;
      held += cost;
      if (body.pieces > MOST_PIECES) {
        remove(body);
        refuse(body, safe);
      }
      for (const oldest of unfinished) {
        if (held <= mostBytes) break;
        remove(oldest);
        refuse(oldest, safe);
      }
    });
    for (const end of ['end', 'error', 'close']) payload.once(end, () => remove(body));
    done(null, payload);
  });
}

function hasBody(headers: Readonly<Record<string, unknown>>): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

function refuse({ payload, socket }: UnfinishedBody, safe: SafeHeaders): void {
  // A request from our own process has no socket.
  if (socket instanceof Socket)
    refuseConnection(Object.assign(new Error('refused'), { code: TOO_MANY_BODIES }), socket, safe);
  else payload.destroy();
}
