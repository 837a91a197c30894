import type { OpenSpan, Tracing } from '@fundrail/messaging';
import type { FastifyRequest } from 'fastify';

/** Frequent requests that belong to no trace: probes, and the sandbox's watch of the clock. */
const UNTRACED = /^\/(health|internal\/sandbox)\//;
const FIRST_SERVER_ERROR = 500;

/** The span of each request that is being answered. */
export class RequestSpans {
  readonly #spans = new WeakMap<FastifyRequest, OpenSpan>();

  constructor(private readonly tracing: Tracing) {}

  /** Returns the `traceparent` of the request's own span; null when it has none. */
  begin(request: FastifyRequest, received: string | null): string | null {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    if (UNTRACED.test(route)) return null;
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = this.tracing.begin(received, () => ({
      name: `${method} ${route}`,
      kind: 'server',
      attributes,
    }));
    if (!span) return null;
    this.#spans.set(request, span);
    return span.traceparent;
  }

  end(request: FastifyRequest, status: number): void {
    const span = this.#spans.get(request);
    span?.set({ 'http.response.status_code': status });
    span?.end(status >= FIRST_SERVER_ERROR ? String(status) : null);
  }
}
