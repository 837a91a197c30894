import type { ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import type { FastifyInstance } from 'fastify';

/**
 * Calls between the services of one process: passed without a socket, to the same routes and the same checks. `timeoutMs` limits the
 * wait for a service that still starts, and nothing else: no answer is lost here, each statement has a limit of its own, and a second
 * limit would refuse what a slow disk only delays.
 */
export class InProcessTransport implements ServiceTransport {
  private readonly services = new Map<ServiceName, PromiseWithResolvers<FastifyInstance>>();

  /** Registers a service that can answer now. Earlier calls to it have waited for this. */
  add(name: ServiceName, fastify: FastifyInstance): void {
    this.slot(name).resolve(fastify);
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const fastify = await this.started(service, request.timeoutMs);
    const answer = await fastify.inject({
      method: request.method,
      url: request.path,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { payload: request.body }),
    });
    return { status: answer.statusCode, body: answer.body };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async started(service: ServiceName, limitMs: number): Promise<FastifyInstance> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${service} did not start in ${limitMs} ms`)), limitMs);
    try {
      return await Promise.race([this.slot(service).promise, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  private slot(name: ServiceName): PromiseWithResolvers<FastifyInstance> {
    const slot = this.services.get(name) ?? Promise.withResolvers<FastifyInstance>();
    this.services.set(name, slot);
    return slot;
  }
}
