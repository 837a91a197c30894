import { ValidationFailed } from '@fundrail/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestParts } from './auth/route-policy.ts';

/**
 * Refuses a query on a route that reads none, and a body likewise: an unknown parameter or field is a 400 everywhere, never
 * silently ignored (contract §0). Public routes are left alone, because outside parties add fields to them freely.
 */
export function refuseUnaskedInput(fastify: FastifyInstance): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const { reads, access } = request.routeOptions.config.fundrail ?? {};
    if (!reads || access === 'public') return done();
    const unasked = unaskedFields(request, reads);
    done(
      unasked.length === 0
        ? undefined
        : new ValidationFailed(unasked.map((field) => ({ field, message: 'is unknown' }))),
    );
  });
}

function unaskedFields({ query, body }: FastifyRequest, reads: RequestParts): string[] {
  const parameters = reads.query ? [] : Object.keys(query as object);
  return reads.body ? parameters : [...parameters, ...fieldsOf(body)];
}

/** The fields of a body that should not be there; one that is no object is told as the body itself. */
function fieldsOf(body: unknown): string[] {
  if (body === undefined || body === null) return [];
  const isObject = typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype;
  return isObject ? Object.keys(body) : ['body'];
}
