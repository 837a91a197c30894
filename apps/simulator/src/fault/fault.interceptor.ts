import { Database } from '@fundrail/service-kit/db';
import { Injectable, SetMetadata } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Operation } from './fault.ts';
import { takeFault, tenantOfReference } from './fault.repository.ts';
import type { LiveFault } from './fault.repository.ts';

const OPERATION = 'simulator:operation';

/** Names the operation of a gateway's route, by which faults find it. */
export const GatewayOperation = (operation: Operation) => SetMetadata(OPERATION, operation);

// Longer than our adapters wait (5 s), so that a fault without `delay_ms` is a time-out after the effect.
const DEFAULT_DELAY_MS = 6_000;
// Long enough that a call sent right afterwards is worked first.
const DEFAULT_OVERTAKEN_MS = 300;

/**
 * Disturbs the calls of the played gateway as `POST /sandbox/faults` asked: `delay` answers late (the effect is there at
 * once), `drop` loses the request without effect or answer, `duplicate` works it twice, `reorder` lets later calls
 * overtake it, `status_500` answers 500 without effect, `nonsense` has the effect and answers what nobody understands.
 */
@Injectable()
export class FaultInterceptor implements NestInterceptor {
  constructor(
    private readonly db: Database,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.run(context, next));
  }

  private async run(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const http = context.switchToHttp();
    const operation = this.reflector.get<Operation>(OPERATION, context.getHandler());
    const fault = await takeFault(this.db, operation, await this.tenantOf(http.getRequest<FastifyRequest>()));
    const work = () => lastValueFrom<unknown>(next.handle());
    return fault ? disturbed(fault, work, http.getResponse<FastifyReply>()) : work();
  }

  private async tenantOf(request: FastifyRequest): Promise<string | null> {
    const body = (request.body ?? {}) as Record<string, unknown>;
    if (typeof body['tenant'] === 'string') return body['tenant'];
    const reference = (request.params as Record<string, string>)['reference'] ?? body['payment_reference'];
    return typeof reference === 'string' ? tenantOfReference(this.db, reference) : null;
  }
}

async function disturbed(
  fault: LiveFault,
  work: () => Promise<unknown>,
  reply: FastifyReply,
): Promise<unknown> {
  switch (fault.kind) {
    case 'delay':
      return late(work, fault.delay_ms ?? DEFAULT_DELAY_MS);
    case 'drop':
      reply.raw.destroy();
      return null;
    case 'duplicate':
      await work();
      return work();
    case 'reorder':
      await pause(fault.delay_ms ?? DEFAULT_OVERTAKEN_MS);
      return work();
    case 'status_500':
      throw new Error('a fault was asked for');
    case 'nonsense':
      await work();
      void reply.type('text/html; charset=utf-8');
      return '<html><body>Welcome to the gateway</body></html>';
    default:
      return impossible(fault.kind);
  }
}

/** The effect now, the answer (or the refusal) later. */
async function late(work: () => Promise<unknown>, delayMs: number): Promise<unknown> {
  const [outcome] = await Promise.allSettled([work()]);
  await pause(delayMs);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function impossible(kind: never): never {
  throw new Error(`no such fault: ${String(kind)}`);
}
