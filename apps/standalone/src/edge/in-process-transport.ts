import type { ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import type { FastifyInstance } from 'fastify';

/**
 * In one process an answer is late because the machine or the database is slow, which delays the caller too. So each call has the 10 s of
 * a statement at least: a disk that stalls for 4 s refuses no purchase.
 */
const LEAST_MS = 10_000;

/** Calls between the services of one process: passed without a socket, to the same routes and the same checks. */
export class InProcessTransport implements ServiceTransport {
  private readonly services = new Map<ServiceName, PromiseWithResolvers<FastifyInstance>>();

  /** Registers a service that can answer now. Earlier calls to it have waited for this. */
  add(name: ServiceName, fastify: FastifyInstance): void {
    this.slot(name).resolve(fastify);
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const limitMs = Math.max(LEAST_MS, request.timeoutMs);
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${service} did not answer in ${limitMs} ms`)), limitMs);
    try {
      return await Promise.race([this.handOver(service, request), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async handOver(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const fastify = await this.slot(service).promise;
    const answer = await fastify.inject({
      method: request.method,
      url: request.path,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { payload: request.body }),
    });
    return { status: answer.statusCode, body: answer.body };
  }

  private slot(name: ServiceName): PromiseWithResolvers<FastifyInstance> {
    const slot = this.services.get(name) ?? Promise.withResolvers<FastifyInstance>();
    this.services.set(name, slot);
    return slot;
  }
}
