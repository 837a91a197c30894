import {
  fromUpstream,
  parseJson,
  queryFromUpstream,
  refusalForUpstream,
  toUpstream,
} from '@fundrail/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withWiderSchemas } from './upstream-schema.ts';

/** Requests whose refusal is a 400 for a client of the upstream. */
const sentAs400 = new WeakSet<FastifyRequest>();

/**
 * Translates the requests of a client of the upstream interface, and the answers to it, by the claim of its token (COMP-1, decision
 * 0056). Everything behind it knows our names only; other clients are not touched. An Idempotency-Key is compared with the body as it
 * was received, and keeps the answer that the use case stored, or a refusal as it was sent.
 */
export function translateForUpstream(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (compatibilityOfCaller(request) === null) return done();
    request.body = fromUpstream(request.body);
    // Fastify's query has a prototype of its own.
    request.query = queryFromUpstream({ ...(request.query as object) });
    withWiderSchemas(done);
  });
  fastify.addHook('preSerialization', (request, _reply, payload, done) => {
    const compatibility = compatibilityOfCaller(request);
    if (compatibility === null) return done(null, payload);
    const refusal = refusalForUpstream(payload);
    if (refusal) sentAs400.add(request);
    done(null, toUpstream(refusal ?? payload, compatibility));
  });
}

/** Sends the status of such a refusal (COMP-9). After the Idempotency-Key, which goes by our status: a retry after a 409 may succeed. */
export function refuseAsUpstream(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (sentAs400.has(request)) void reply.code(400);
    done(null, payload);
  });
}

/** A stored answer, as it is sent again: its bytes, or for a client of the upstream its values, which are then translated. */
export function storedAnswer(request: FastifyRequest, body: string | null): unknown {
  return body && compatibilityOfCaller(request) !== null ? parseJson(body) : (body ?? '');
}

function compatibilityOfCaller({ caller }: FastifyRequest) {
  return caller?.compatibility ?? null;
}
