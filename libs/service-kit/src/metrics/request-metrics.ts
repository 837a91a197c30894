import type { FastifyInstance } from 'fastify';
import type { ServiceMetrics } from './service-metrics.ts';

/** What is sent under any other name is one label value, as OpenTelemetry has it. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures every request that is answered, by its route and not by its path: a path has ids in it. */
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
