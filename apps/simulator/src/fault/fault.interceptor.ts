import { Database } from '@fundrail/service-kit/db';
import { Injectable, SetMetadata } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { Operation } from './fault.ts';
import { takeFault, tenantOfReference } from './fault.repository.ts';
import type { LiveFault } from './fault.repository.ts';

const OPERATION = 'simulator:operation';

/** Names the operation of a route of gatewaypoa's, by which faults find it. */
export const GatewayOperation = (operation: Extract<Operation, { target: 'gatewaypoa' }>['operation']) =>
  SetMetadata(OPERATION, { target: 'gatewaypoa', operation } satisfies Operation);

/** The same for a route of sdkvendor's. */
export const SdkvendorOperation = (operation: Extract<Operation, { target: 'sdkvendor' }>['operation']) =>
  SetMetadata(OPERATION, { target: 'sdkvendor', operation } satisfies Operation);

// Longer than our adapters wait (5 s), so that a fault without `delay_ms` is a time-out after the effect.
const DEFAULT_DELAY_MS = 6_000;
// Long enough that a call sent right afterwards is worked first.
const DEFAULT_OVERTAKEN_MS = 300;

/**
 * Disturbs the calls of the played gateways as `POST /sandbox/faults` asked: `delay` answers late (the effect is there at
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
    const { tenant, reference } = namedIn(request);
    return tenant ?? (reference === null ? null : tenantOfReference(this.db, reference));
  }
}

const text = z.string().optional();
const notesOfOrder = z.object({ tenant: text });
const namingBody = z.object({
  ...{ tenant: text, payment_reference: text, order_id: text },
  notes: notesOfOrder.optional().catch(undefined),
});
const namingParams = z.object({ reference: text, id: text, token: text, notice: text });
const namingQuery = z.object({ receipt: text });

/** Whom a call names, or by which reference or id we find out whose it is. */
function namedIn(request: FastifyRequest): { tenant: string | null; reference: string | null } {
  const body = namingBody.safeParse(request.body).data;
  const params = namingParams.safeParse(request.params).data;
  const query = namingQuery.safeParse(request.query).data;
  const inBody = body?.payment_reference ?? body?.order_id;
  return {
    tenant: body?.tenant ?? body?.notes?.tenant ?? null,
    reference:
      params?.reference ?? params?.token ?? params?.notice ?? params?.id ?? inBody ?? query?.receipt ?? null,
  };
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
