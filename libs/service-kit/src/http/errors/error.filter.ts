import { ApiError } from '@fundrail/contracts';
import { rethrowEventError } from '@fundrail/messaging';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Log } from '../../logging/log.ts';
import type { KnownRoutes } from '../known-routes.ts';
import { challengeOf } from '../auth/token-refusal.ts';
import { mediaTypeOf } from '../body-parsers.ts';
import { errorBodyOf, oauthBodyOf, refusalOf } from './error-answer.ts';

/** Writes every error answer in the one shape of ERR-1, ERR-12. An unknown error is a 500, with its details only in the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly routes: KnownRoutes,
  ) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    if (host.getType() !== 'http') return rethrowEventError(error);
    const http = host.switchToHttp();
    return this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  private answer(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (reply.sent) {
      this.log.error('an error was thrown after the answer', error);
      return undefined;
    }
    const refusal = this.refusalFor(error, request, reply);
    if (refusal.status >= 500) this.report(refusal, error, request);
    if (refusal.retryAfter !== undefined) void reply.header('retry-after', String(refusal.retryAfter));
    const challenge = challengeOf(refusal);
    if (challenge !== null) void reply.header('www-authenticate', challenge);
    void reply.header('x-request-id', request.id);
    const policy = request.routeOptions.config.fundrail;
    return reply.code(refusal.status).send(oauthBodyOf(refusal, policy) ?? errorBodyOf(refusal, request.id));
  }

  /** Logs our own refusal without a stack: its message is enough, and a stack would make a refusal more expensive than an answer. */
  private report(refusal: ApiError, error: unknown, request: FastifyRequest): void {
    const facts = { method: request.method, route: request.routeOptions.url };
    if (error === refusal && refusal.cause === undefined)
      this.log.warn(refusal.code, { ...facts, reason: refusal.message });
    else this.log.error(refusal.code, error, facts);
  }

  private refusalFor(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError {
    const refusal = refusalOf(error) ?? new ApiError('INTERNAL_ERROR');
    if (!request.is404 && refusal.code !== 'NOT_FOUND')
      return refusal.code === 'UNSUPPORTED_MEDIA_TYPE' ? withMediaType(request, reply) : refusal;
    // A path may also look like the id of another route, where it is an object that does not exist.
    const allowed = this.routes.methodsOf(request.url);
    if (allowed.length === 0 || allowed.includes(request.method)) return refusal;
    void reply.header('allow', allowed.join(', '));
    return new ApiError('METHOD_NOT_ALLOWED');
  }
}

/** Names the media type that the route accepts, in the message and in `Accept` (RFC 9110 §15.5.16). */
function withMediaType(request: FastifyRequest, reply: FastifyReply): ApiError {
  const wanted = mediaTypeOf(request.routeOptions.config.fundrail);
  void reply.header('accept', wanted.replace(' or ', ', '));
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${wanted}.`);
}
