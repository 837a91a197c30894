import type { FastifyInstance } from 'fastify';
import type { ServiceMetrics } from './service-metrics.ts';

/** All other methods share one label value, as in OpenTelemetry. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures every answered request by its route, not by its path, which contains ids. */
export function measureRequests(fastify: FastifyInstance, metrics: Pick<ServiceMetrics, 'histogram'>): void {
  const durations = metrics.histogram({
    name: 'http_server_request_duration_seconds',
    help: 'From the first byte of a request until its answer has been sent',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
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
