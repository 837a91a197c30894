import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** OpenTelemetry's buckets for the duration of HTTP requests, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** What is sent under any other name is one label value, as OpenTelemetry has it. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures every request that is answered, by its route and not by its path: a path has ids in it. */
export function measureRequests(fastify: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'From the first byte of a request until its answer has been sent',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: BUCKETS,
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const labels = {
      http_request_method: METHODS.has(request.method) ? request.method : '_OTHER',
      http_route: request.routeOptions.url ?? 'unknown',
      http_response_status_code: reply.statusCode,
    };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
