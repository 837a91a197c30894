import { newTraceparent, readTraceparent, runInTrace, type Tracing } from '@fundrail/messaging';
import type { FastifyInstance } from 'fastify';
import { requestContext } from '../http/request-context.ts';
import { RequestSpans } from '../tracing/request-spans.ts';
import type { Log } from './log.ts';

/** Gives each request its context and trace, and echoes its id. It is the first hook, so that every later line and answer has the id. */
export function followRequests(fastify: FastifyInstance, tracing: Tracing): void {
  const spans = new RequestSpans(tracing);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const received = readTraceparent(request.headers.traceparent);
    const traceparent = spans.begin(request, received) ?? received ?? newTraceparent();
    runInTrace(traceparent, () => requestContext.run({ request_id: request.id }, done));
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    spans.end(request, reply.statusCode);
    done();
  });
}

/** One line for each refused request (5xx warn, 4xx info), for others only at level debug. It has the route, not the path's values. */
export function logRequests(fastify: FastifyInstance, log: Log): void {
  const everything = log.isEnabled('debug');
  fastify.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    if (status >= 400 || everything) {
      const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug';
      const duration_ms = Math.round(reply.elapsedTime);
      log[level]('request', {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status,
        duration_ms,
      });
    }
    done();
  });
}
