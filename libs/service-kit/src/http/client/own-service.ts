import type { ServiceName } from '@fundrail/contracts';
import type { FastifyInstance } from 'fastify';
import type { ServiceTransport } from './service-transport.ts';

/** Calls of a service to itself (identity reads its own keys) stay in the process; all others use the given transport. */
export function withOwnService(
  own: ServiceName,
  fastify: FastifyInstance,
  others: ServiceTransport,
): ServiceTransport {
  return {
    request: async (service, request) => {
      if (service !== own) return others.request(service, request);
      const { method, path, headers, body } = request;
      const payload = body === undefined ? {} : { payload: body };
      const answer = await fastify.inject({ method, url: path, headers: { ...headers }, ...payload });
      return { status: answer.statusCode, body: answer.body };
    },
    close: () => others.close(),
  };
}
