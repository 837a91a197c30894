import { ApiError } from '@fundrail/contracts';
import { rethrowEventError } from '@fundrail/messaging';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Log } from '../../logging/log.ts';
import type { KnownRoutes } from '../known-routes.ts';
import { challengeOf, errorBodyOf, refusalOf } from './error-answer.ts';

/** Writes every error answer, in the one shape of contract §0.1. What it does not know is a 500, told in full to the log only. */
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
      this.log.error('an error came after the answer', error);
      return undefined;
    }
    const refusal = this.refusalFor(error, request, reply);
    if (refusal.status >= 500)
      this.log.error(refusal.code, error, { method: request.method, route: request.routeOptions.url });
    if (refusal.retryAfter !== undefined) void reply.header('retry-after', String(refusal.retryAfter));
    if (refusal.status === 401)
      void reply.header('www-authenticate', challengeOf(request.headers.authorization));
    void reply.header('x-request-id', request.id);
    return reply.code(refusal.status).send(errorBodyOf(refusal, request.id));
  }

  private refusalFor(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError {
    const refusal = refusalOf(error) ?? new ApiError('INTERNAL_ERROR');
    if (!request.is404) return refusal;
    const allowed = this.routes.methodsOf(request.url);
    if (allowed.length === 0) return refusal;
    void reply.header('allow', allowed.join(', '));
    return new ApiError('METHOD_NOT_ALLOWED');
  }
}
