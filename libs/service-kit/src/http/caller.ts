import type { Compatibility } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyKey } from './idempotency/idempotency-key.ts';

/** The caller of a request. `tenant` is the tenant in which it acts: the token's, or the one an admin names in `x-tenant-id`. */
export interface Caller {
  readonly tenant: string;
  /** The tenant of the calling client; an operator may act in another one. */
  readonly client_tenant: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly request_id: string;
  /** In whose names the client is answered (COMP-1). Requests and answers are translated at the door: only what is sent later, and COMP-7, need this. */
  readonly compatibility: Compatibility | null;
  /** The request's Idempotency-Key, or null when it came without one. */
  readonly idempotency: IdempotencyKey | null;
  /**
   * Completes the Idempotency-Key in the transaction of the effect and returns `body`, which the route then answers
   * (IDEM-8). Throws `IDEMPOTENCY_KEY_IN_USE` when another request took over the key: the effect is rolled back. `kept` is the
   * body of a replay: a secret that is shown only once is never stored under a key (`withoutSecret`).
   */
  answer<T>(tx: Tx, body: T, status?: number, kept?: unknown): Promise<T>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the access token was accepted; null on public and internal routes. */
    caller: Caller | null;
    /** The body as it was received, for signatures; undefined when there was none. */
    rawBody: string | undefined;
  }
}

/** `@CallerOf() caller: Caller`. Only on routes that need a tenant's token (the default). */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('@CallerOf() on a route without a caller: it is @Public() or @Internal()');
  return caller;
});

/** `@RawBody() body: string`: the body's bytes as text, for the signatures of callbacks. Empty when there was none. */
export const RawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<FastifyRequest>().rawBody ?? '',
);
