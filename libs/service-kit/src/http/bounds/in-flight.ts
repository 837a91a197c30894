import { ApiError } from '@fundrail/contracts';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '../errors/error-answer.ts';

const HEALTH = '/health/';

/**
 * Refuses a request immediately (503, `Retry-After`) while `most` others run, because a late answer is useless and a request that
 * waits for a database connection delays all others behind it. A request counts from the moment its body is complete, so a slow
 * sender takes no place. Health is always answered. Must be the first hook.
 */
export function boundInFlight(fastify: FastifyInstance, most: number): void {
  let running = 0;
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (running >= most && !isHealth(request.url)) return done(tooMuch());
    done();
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    // The client may have left while its token was checked: then no close event follows.
    if (isHealth(request.url) || reply.raw.closed) return done();
    if (running >= most) return done(tooMuch());
    running += 1;
    // Also when the client leaves before its answer.
    reply.raw.once('close', () => (running -= 1));
    done();
  });
}

function isHealth(url: string): boolean {
  return url.startsWith(HEALTH);
}

function tooMuch(): ApiError {
  return unavailable('Too many requests are under way.');
}
