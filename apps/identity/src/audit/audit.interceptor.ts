import { ApiError } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import {
  HttpException,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, concatMap, from, type Observable } from 'rxjs';
import { insertAuditEntry, setAuditStatus } from './audit.repository.ts';

/**
 * Writes the audit row of an admin call (contract §8): before the call, so that there is no effect without a row, and its
 * status afterwards, refusals included. A token without the scope is turned away before this.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const id = await this.begun(http.getRequest<FastifyRequest>());
    const ended = (status: number) => setAuditStatus(this.database, id, status);
    return next.handle().pipe(
      concatMap(async (body: unknown) => {
        await ended(http.getResponse<FastifyReply>().statusCode);
        return body;
      }),
      catchError((error: unknown) =>
        from(
          ended(statusOf(error)).then(() => {
            throw error;
          }),
        ),
      ),
    );
  }

  private begun(request: FastifyRequest): Promise<number> {
    const { caller } = request;
    if (!caller) throw new Error('an admin route without a caller');
    return insertAuditEntry(this.database, {
      at: this.clock.now(),
      tenant: caller.tenant,
      client_id: caller.client_id,
      method: request.method,
      path: request.url.split('?')[0] ?? '',
      request_id: caller.request_id,
    });
  }
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.status;
  return error instanceof HttpException ? error.getStatus() : 500;
}
