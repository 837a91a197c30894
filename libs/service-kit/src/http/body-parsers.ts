import { ApiError, parseJson } from '@fundrail/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** 1 MiB, contract §10 "Conventions". */
export const BODY_LIMIT_BYTES = 1_048_576;

type Done = (error: Error | null, body?: unknown) => void;

/**
 * JSON with exact decimals on every route, form posts where the route allows them, nothing else (415). The text is kept as
 * `request.rawBody` for the signatures of callbacks and the hash of an Idempotency-Key.
 */
export function takeBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.decorateRequest('rawBody', undefined);
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, takeJson);
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, takeForm);
}

function takeJson(request: FastifyRequest, text: string, done: Done): void {
  request.rawBody = text;
  if (text === '') return done(null, undefined);
  try {
    done(null, parseJson(text));
  } catch {
    done(new ApiError('BAD_REQUEST_ERROR', 'The body is not valid JSON.'));
  }
}

function takeForm(request: FastifyRequest, text: string, done: Done): void {
  if (request.routeOptions.config.fundrail?.form !== true)
    return done(new ApiError('UNSUPPORTED_MEDIA_TYPE'));
  request.rawBody = text;
  done(null, Object.fromEntries(new URLSearchParams(text)));
}
