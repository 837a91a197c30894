import { Database } from '@fundrail/service-kit/db';
import { Injectable, SetMetadata } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { z } from 'zod';
import { PAYEE_VPA } from '../provider-payment/upi-uri.ts';
import type { Operation } from './fault.ts';
import { takeFault, tenantOfReference, type LiveFault } from './fault.repository.ts';

const OPERATION = 'simulator:operation';

/** Names the operation of a gatewaypoa route, so that faults can match it. */
export const GatewayOperation = (operation: Extract<Operation, { target: 'gatewaypoa' }>['operation']) =>
  SetMetadata(OPERATION, { target: 'gatewaypoa', operation } satisfies Operation);

/** The same for a sdkvendor route. */
export const SdkvendorOperation = (operation: Extract<Operation, { target: 'sdkvendor' }>['operation']) =>
  SetMetadata(OPERATION, { target: 'sdkvendor', operation } satisfies Operation);

// Longer than our adapters wait (5 s), so that a fault without `delay_ms` causes a time-out after the effect.
const DEFAULT_DELAY_MS = 6_000;
// Long enough that a call sent right afterwards is executed first.
const DEFAULT_OVERTAKEN_MS = 300;

/**
 * Applies the faults of `POST /sandbox/faults` to calls of the simulated gateways. `delay` responds late (the effect is immediate).
 * `drop` loses the request without effect or response. `duplicate` executes it twice. `reorder` lets later calls overtake it.
 * `status_500` responds with 500 without effect. `nonsense` has the effect and responds with something no client can parse.
 * `plain_handle` has the effect, and a UPI URI in the response pays a UPI ID that is no validated handle.
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
    const reply = http.getResponse<FastifyReply>();
    return fault ? disturbed(fault, work, { reply, hold: (ms) => this.hold(ms) }) : work();
  }

  /** Waits so many wall milliseconds before a disturbed call goes on. Tests need not wait. */
  hold(ms: number): Promise<void> {
    return pause(ms);
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

/** The tenant that a call names, or the reference or id by which the tenant can be found. */
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
  { reply, hold }: Pick<FaultInterceptor, 'hold'> & { readonly reply: FastifyReply },
): Promise<unknown> {
  switch (fault.kind) {
    case 'delay':
      return late(work, () => hold(fault.delay_ms ?? DEFAULT_DELAY_MS));
    case 'drop':
      reply.raw.destroy();
      return null;
    case 'duplicate':
      await work();
      return work();
    case 'reorder':
      await hold(fault.delay_ms ?? DEFAULT_OVERTAKEN_MS);
      return work();
    case 'status_500':
      throw new Error('simulated fault');
    case 'nonsense':
      await work();
      void reply.type('text/html; charset=utf-8');
      return '<html><body>Welcome to the gateway</body></html>';
    case 'plain_handle':
      return JSON.parse(JSON.stringify(await work()).replaceAll(PAYEE_VPA, 'fundrail@sandbox'));
    default:
      return fault.kind satisfies never;
  }
}

/** Executes now, and returns the response (or the refusal) later. */
async function late(work: () => Promise<unknown>, hold: () => Promise<void>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([work()]);
  await hold();
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
