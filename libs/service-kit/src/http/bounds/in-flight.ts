import { ApiError } from '@fundrail/contracts';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '../errors/error-answer.ts';

const HEALTH = '/health/';

/**
 * Refuses a request at once (503, `Retry-After`) while `most` others run: an answer that comes late helps nobody, and whoever waits
 * for a connection of the pool holds up all behind it. Health is answered always. Goes before every other hook.
 */
export function boundInFlight(fastify: FastifyInstance, most: number): void {
  let running = 0;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith(HEALTH)) return done();
    if (running >= most) return done(tooMuch());
    running += 1;
    // Also when the client leaves before its answer.
    reply.raw.once('close', () => (running -= 1));
    done();
  });
}

function tooMuch(): ApiError {
  return unavailable('Too many requests are under way.');
}
