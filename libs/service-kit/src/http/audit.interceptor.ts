import type { BeginAudit } from '@fundrail/contracts';
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, concatMap, from, type Observable } from 'rxjs';
import { refusalOf } from './errors/error-answer.ts';

/** Where the rows of admin calls are written. */
export abstract class AuditTrail {
  /** Answers the row's id. Throws when it could not be written: the call must then have no effect. */
  abstract begin(call: BeginAudit): Promise<number>;
  abstract end(id: number, status: number): Promise<void>;
}

/**
 * Writes the audit row of an admin call (contract §8): before the call, so that there is no effect without a row, and its
 * status afterwards, refusals included. A token without the scope is turned away before this.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(@Inject(AuditTrail) private readonly trail: AuditTrail) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const id = await this.trail.begin(adminCall(http.getRequest<FastifyRequest>()));
    const ended = (status: number) => this.trail.end(id, status);
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
}

function adminCall({ caller, method, url }: FastifyRequest): BeginAudit {
  if (!caller) throw new Error('an admin route without a caller');
  const { tenant, client_id, request_id } = caller;
  return { tenant, client_id, method, path: url.split('?')[0] ?? '', request_id };
}

function statusOf(error: unknown): number {
  return refusalOf(error)?.status ?? 500;
}
