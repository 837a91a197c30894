import type { Tx } from '@fundrail/messaging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyKey } from './idempotency/idempotency-key.ts';

/** Who asks. `tenant` is the one acted in: the token's, or the one an admin names in `x-tenant-id`. */
export interface Caller {
  readonly tenant: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly request_id: string;
  /** The request's Idempotency-Key, or null when it came without one. */
  readonly idempotency: IdempotencyKey | null;
  /**
   * Completes the Idempotency-Key in the transaction of the effect and answers `body`, which the route then answers
   * (contract §0.2). Throws `IDEMPOTENCY_KEY_IN_USE` when another request took the key over: the effect is rolled back.
   */
  answer<T>(tx: Tx, body: T, status?: number): Promise<T>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the access token was accepted; null on public and internal routes. */
    caller: Caller | null;
    /** The body as it came, for signatures; undefined when there was none. */
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
