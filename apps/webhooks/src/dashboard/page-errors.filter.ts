import { ApiError } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { refusalOf, sendPage } from '@fundrail/service-kit/http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInAddress } from './addresses.ts';
import { errorPage } from './error.view.ts';

/** Renders errors as pages. When the session has ended, redirects to the sign-in page. */
@Catch()
export class PageErrors implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const refusal = refusalOf(error) ?? new ApiError('INTERNAL_ERROR');
    if (refusal.code === 'UNAUTHORIZED') return void reply.redirect(signInAddress(request), 303);
    if (refusal.status >= 500)
      this.log.error(refusal.code, error, { method: request.method, route: request.routeOptions.url });
    if (refusal.retryAfter !== undefined) void reply.header('retry-after', String(refusal.retryAfter));
    sendPage(reply, errorPage(refusal, request.caller?.tenant ?? null));
  }
}
