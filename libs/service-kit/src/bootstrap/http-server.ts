import { ApiError } from '@fundrail/contracts';
import type { Tracing } from '@fundrail/messaging';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyLimitsOf } from '../http/body-limits.ts';
import { takeBodies } from '../http/body-parsers.ts';
import { boundServer, refuseConnection, SERVER_BOUNDS, serverOptions } from '../http/bounds/server-bounds.ts';
import type { ServerBounds } from '../http/bounds/server-bounds.ts';
import { SAFE_HEADERS, sendSafeHeaders, type SafeHeaders } from '../http/bounds/safe-headers.ts';
import { boundUnfinishedBodies } from '../http/bounds/unfinished-bodies.ts';
import { errorBodyOf, refusalOf } from '../http/errors/error-answer.ts';
import { KnownRoutes } from '../http/known-routes.ts';
import { requestIdOf } from '../http/request-id.ts';
import { followRequests } from '../logging/request-lines.ts';

/** Our longest path parameter is an id of 37 characters; a longer path is answered 404. */
const LONGEST_PARAMETER = 200;

/** The HTTP side of a service before its routes: the headers `safe` on every answer, bodies, request ids, and the list of known routes. */
export function makeHttpServer(
  tracing: Tracing,
  safe: SafeHeaders = SAFE_HEADERS,
  bounds: ServerBounds = SERVER_BOUNDS,
): {
  adapter: FastifyAdapter;
  fastify: FastifyInstance;
  routes: KnownRoutes;
} {
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimitsOf().bytes,
    genReqId: requestIdOf,
    requestIdHeader: false,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.idleMs,
    http: serverOptions(bounds),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, safe),
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // The router's own refusals, for which no hook runs: a malformed URL, an over-long parameter.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = refusalOf(error) ?? new ApiError('BAD_REQUEST_ERROR');
      void reply
        .headers({ ...safe, 'x-request-id': request.id })
        .code(refusal.status)
        .send(errorBodyOf(refusal, request.id));
    },
    // No Express-style middleware in any service.
    skipMiddie: true,
  });
  const fastify: FastifyInstance = adapter.getInstance();
  boundServer(fastify.server, bounds);
  boundUnfinishedBodies(fastify, bounds.unfinishedBytes, safe);
  sendSafeHeaders(fastify, safe);
  const routes = new KnownRoutes();
  routes.watch(fastify);
  takeBodies(fastify);
  followRequests(fastify, tracing);
  return { adapter, fastify, routes };
}

/** While `isStopping`, each answer has `Connection: close`, so that clients leave their connections. */
export function closeConnectionsWhen(fastify: FastifyInstance, isStopping: () => boolean): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping()) void reply.header('connection', 'close');
    done(null, payload);
  });
}

const IDLE_CHECK_MS = 50;

/** Takes no more connections, and resolves when the requests that run have been answered. */
export async function drain(fastify: FastifyInstance): Promise<void> {
  const { server } = fastify;
  if (!server.listening) return;
  // A kept-alive connection becomes idle only after its last answer, so once is not enough.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
}
