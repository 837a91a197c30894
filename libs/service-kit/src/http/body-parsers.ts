import { ApiError, exceededBound, parseJson, type JsonBounds } from '@fundrail/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RoutePolicy } from './auth/route-policy.ts';
import { bodyLimitsOf } from './body-limits.ts';
import { formObject } from './form.ts';

type Done = (error: Error | null, body?: unknown) => void;

/** A body without a token: parsed at its first use, which is after the guards of its route. */
class UnreadBody {
  constructor(readonly read: () => unknown) {}
}

/**
 * Accepts JSON with exact decimals, and forms where the route takes them, each up to the limits of its route; anything else is a
 * 415. The text is kept as `request.rawBody` for the signatures of callbacks and the hash of an Idempotency-Key. On a public route
 * nothing is parsed before the route's guards have admitted the request, and nothing at all when only `rawBody` is read.
 */
export function takeBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.decorateRequest('rawBody', undefined);
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimitsOf(route.config?.fundrail, route.url).bytes;
  });
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, takeJson);
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, takeForm);
  fastify.addHook('preHandler', (request, _reply, done) => {
    if (request.body instanceof UnreadBody) readWhenUsed(request, request.body);
    done();
  });
}

/** The media type that a route requires. */
export function mediaTypeOf(policy: RoutePolicy = {}): string {
  if (!policy.form) return 'application/json';
  return policy.form === 'or_json'
    ? 'application/x-www-form-urlencoded or application/json'
    : 'application/x-www-form-urlencoded';
}

function takeJson(request: FastifyRequest, text: string, done: Done): void {
  const policy = request.routeOptions.config.fundrail;
  if (policy?.form === 'only') return done(new ApiError('UNSUPPORTED_MEDIA_TYPE'));
  request.rawBody = text;
  const limits = bodyLimitsOf(policy, request.routeOptions.url);
  take(policy, () => readJson(text, limits), done);
}

function takeForm(request: FastifyRequest, text: string, done: Done): void {
  const policy = request.routeOptions.config.fundrail;
  if (!policy?.form) return done(new ApiError('UNSUPPORTED_MEDIA_TYPE'));
  request.rawBody = text;
  take(policy, () => formObject(text), done);
}

/** Parses immediately when a token has been checked, otherwise at the first use. */
function take(policy: RoutePolicy | undefined, read: () => unknown, done: Done): void {
  if (policy?.access === 'public') return done(null, new UnreadBody(read));
  try {
    done(null, read());
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

function readWhenUsed(request: FastifyRequest, { read }: UnreadBody): void {
  let body: { readonly value: unknown } | null = null;
  Object.defineProperty(request, 'body', { get: () => (body ??= { value: read() }).value });
}

const EXCEEDED: Readonly<Record<keyof JsonBounds, (most: number) => string>> = {
  values: (most) => `The body has more than ${most} values.`,
  depth: (most) => `The body is nested deeper than ${most} levels.`,
};

function readJson(text: string, limits: JsonBounds): unknown {
  if (text === '') return undefined;
  const exceeded = exceededBound(text, limits);
  if (exceeded) throw new ApiError('BAD_REQUEST_ERROR', EXCEEDED[exceeded](limits[exceeded]));
  try {
    return parseJson(text);
  } catch {
    throw new ApiError('BAD_REQUEST_ERROR', 'The body is not valid JSON.');
  }
}
