import { ValidationFailed } from '@fundrail/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestParts } from './auth/route-policy.ts';

/**
 * Refuses a query or a body on a route that does not read it: an unknown parameter or field is always a 400 and never silently
 * ignored (CONV-13, CONV-14). Public routes are not checked, because outside parties may add fields.
 */
export function refuseUnreadInput(fastify: FastifyInstance): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const { reads, access } = request.routeOptions.config.fundrail ?? {};
    if (!reads || access === 'public') return done();
    const unread = unreadFields(request, reads);
    done(
      unread.length === 0
        ? undefined
        : new ValidationFailed(unread.map((field) => ({ field, message: 'is unknown' }))),
    );
  });
}

function unreadFields({ query, body }: FastifyRequest, reads: RequestParts): string[] {
  const parameters = reads.query ? [] : Object.keys(query as object);
  return reads.body ? parameters : [...parameters, ...fieldsOf(body)];
}

/** The fields of an unexpected body; `body` when it is not an object. */
function fieldsOf(body: unknown): string[] {
  if (body === undefined || body === null) return [];
  const isObject = typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype;
  return isObject ? Object.keys(body) : ['body'];
}
