import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DataCipher } from '../../crypto/data-cipher.ts';
import type { Log } from '../../logging/log.ts';
import { keyInUse } from '../errors/error-answer.ts';
import { faultPoint } from '@fundrail/messaging';
import { RequestCaller } from '../request-caller.ts';
import { HeldKey } from './held-key.ts';
import type { FoundKey, KeyStore } from './key-store.ts';

const METHODS = new Set(['POST', 'PATCH']);
const LONGEST_KEY = 255;
const KEY = new RegExp(`^[^\\p{Cc}]{1,${LONGEST_KEY}}$`, 'u');
/** A key can be freed between two looks at it; more often than this it is in use. */
const LOOKS = 3;
/** 4xx answers that another try may turn out differently (contract §10 "Idempotency"). */
const NOT_STORED = new Set([401, 403, 409, 429]);

type Outcome = { readonly held: HeldKey } | { readonly replay: FoundKey };

/** `Idempotency-Key` on every POST and PATCH of a tenant (contract §0.2). Requests without one pay for a header look-up. */
export class Idempotency {
  constructor(
    private readonly store: KeyStore,
    private readonly cipher: DataCipher,
    private readonly log: Log,
  ) {}

  watch(fastify: FastifyInstance): void {
    fastify.addHook(
      'preHandler',
      (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
        const key = request.headers['idempotency-key'];
        const { caller } = request;
        if (key === undefined || !(caller instanceof RequestCaller) || !METHODS.has(request.method))
          return done();
        this.begin(request, caller, key).then(
          (replay) => (replay ? this.replay(reply, replay) : done()),
          done,
        );
      },
    );
    fastify.addHook('onSend', (request, reply, payload, done) => {
      const held = request.caller instanceof RequestCaller ? request.caller.idempotency : null;
      if (!held) return done(null, payload);
      this.end(held, reply.statusCode, payload).then(
        () => done(null, payload),
        (error: unknown) => {
          // The key stays held for its 60 s; the answer is as true as it was.
          this.log.error('the idempotency key could not be ended', error);
          done(null, payload);
        },
      );
    });
  }

  /** Holds the key for this request, or answers what the first one was told. */
  private async begin(
    request: FastifyRequest,
    caller: RequestCaller,
    key: string | string[],
  ): Promise<FoundKey | null> {
    if (typeof key !== 'string' || !KEY.test(key)) {
      const message = `must have 1 to ${LONGEST_KEY} characters, none of them a control character`;
      throw new ValidationFailed([{ field: 'Idempotency-Key', message }]);
    }
    const outcome = await this.take(caller.tenant, key, hashOf(request));
    if ('replay' in outcome) return outcome.replay;
    await faultPoint('idempotency.taken');
    caller.idempotency = outcome.held;
    return null;
  }

  private async take(tenant: string, key: string, hash: string): Promise<Outcome> {
    const holding = { tenant, key, holder: randomUUID() };
    for (let look = 0; look < LOOKS; look += 1) {
      const reserved = await this.store.take(holding, hash);
      if (reserved !== undefined) return { held: new HeldKey(this.store, this.cipher, holding, reserved) };
      const found = await this.store.find(tenant, key);
      if (!found) continue;
      if (found.request_hash !== hash) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      if (found.status !== null) return { replay: found };
      if (found.held_ms > 0) throw keyInUse();
    }
    throw keyInUse();
  }

  private replay(reply: FastifyReply, found: FoundKey): void {
    void reply
      .code(found.status ?? 200)
      .header('idempotent-replayed', 'true')
      .header('content-type', 'application/json; charset=utf-8')
      .send(found.body === null ? '' : this.cipher.decrypt(found.body));
  }

  /** A 5xx frees the key; every other answer is stored, unless another try may turn out differently. */
  private async end(held: HeldKey, status: number, payload: unknown): Promise<void> {
    const stored = status < 500 && !NOT_STORED.has(status);
    if (!stored) return held.free();
    if (held.completed && status < 400) return;
    await held.keepAnswer(status, typeof payload === 'string' ? payload : '');
  }
}

/** Method, path with its query, and the body's text. */
function hashOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.rawBody ?? '')
    .digest('base64url');
}
