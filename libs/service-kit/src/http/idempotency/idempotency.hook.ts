import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DataCipher } from '../../crypto/data-cipher.ts';
import type { HashingSecret } from '../../hashing/hashing-secret.ts';
import type { Log } from '../../logging/log.ts';
import { storedAnswer } from '../compatibility.hook.ts';
import { keyInUse } from '../errors/error-answer.ts';
import { faultPoint } from '@fundrail/messaging';
import { RequestCaller } from '../request-caller.ts';
import { HeldKey } from './held-key.ts';
import { bodyCell, type FoundKey, type KeyStore, type RequestHashes } from './key-store.ts';

const METHODS = new Set(['POST', 'PATCH']);
const LONGEST_KEY = 255;
const KEY = new RegExp(`^[^\\p{Cc}]{1,${LONGEST_KEY}}$`, 'u');
/** A key can be freed between two attempts to take it; after this many it counts as in use. */
const ATTEMPTS = 3;
/** 4xx answers that may be different at a retry (IDEM-7). */
const NOT_STORED = new Set([401, 403, 409, 429]);

/** The prefix of a keyed hash, which distinguishes it from a hash of an earlier release. */
const KEYED = 'hmac.';

type Outcome = { readonly held: HeldKey } | { readonly replay: FoundKey };

/** `Idempotency-Key` on every POST and PATCH of a tenant (IDEM-1). Requests without one cost only a header look-up. */
export class Idempotency {
  constructor(
    private readonly store: KeyStore,
    private readonly cipher: DataCipher,
    private readonly hashing: HashingSecret,
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
          (replay) => (replay ? answerAgain(request, reply, replay) : done()),
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
          // The key stays held for 60 s; the answer is still correct.
          this.log.error('the idempotency key could not be completed', error);
          done(null, payload);
        },
      );
    });
  }

  /** Takes the key for this request, or returns the stored answer to the first one. */
  private async begin(
    request: FastifyRequest,
    caller: RequestCaller,
    key: string | string[],
  ): Promise<FoundKey | null> {
    if (typeof key !== 'string' || !KEY.test(key)) {
      const message = `must have 1 to ${LONGEST_KEY} characters and no control characters`;
      throw new ValidationFailed([{ field: 'Idempotency-Key', message }]);
    }
    const outcome = await this.take(caller.tenant, key, await this.hashesOf(request));
    if ('replay' in outcome) return this.readable(outcome.replay, { tenant: caller.tenant, key });
    await faultPoint('idempotency.taken');
    caller.idempotency = outcome.held;
    return null;
  }

  private async take(tenant: string, key: string, hashes: RequestHashes): Promise<Outcome> {
    const holding = { tenant, key, holder: randomUUID() };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const reserved = await this.store.take(holding, hashes);
      if (reserved !== undefined)
        return { held: new HeldKey(this.store, this.cipher, holding, hashes.keyed, reserved) };
      const found = await this.store.find(tenant, key);
      if (!found) continue;
      if (found.request_hash !== hashes.stored && found.request_hash !== hashes.other)
        throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      if (found.status !== null) return { replay: found };
      if (found.held_ms > 0) throw keyInUse();
    }
    throw keyInUse();
  }

  /**
   * A body contains account numbers, which are few enough to try them all, so a keyed hash of it is stored. The previous release
   * recognises only unkeyed hashes, so these are stored while its format of encrypted values is written: during a roll-out, and before
   * a rollback. Not with a refusal.
   */
  private async hashesOf(request: FastifyRequest): Promise<RequestHashes> {
    const { method, url, rawBody = '' } = request;
    const keyed = `${KEYED}${await this.hashing.hash('request', method, url, rawBody)}`;
    const unkeyed = unkeyedHashOf(request);
    return this.cipher.format === 'v1'
      ? { stored: unkeyed, other: keyed, keyed }
      : { stored: keyed, other: unkeyed, keyed };
  }

  /** Decrypts before the answer is sent, so that an error of the cipher reaches the request. */
  private readable(found: FoundKey, key: { readonly tenant: string; readonly key: string }): FoundKey {
    return found.body === null ? found : { ...found, body: this.cipher.decrypt(found.body, bodyCell(key)) };
  }

  /** A 5xx frees the key; every other answer is stored, unless a retry may have a different one, or the handler keeps none. */
  private async end(held: HeldKey, status: number, payload: unknown): Promise<void> {
    const stored = status < 500 && !NOT_STORED.has(status) && !held.keepsNothing;
    if (!stored) return held.free();
    if (held.completed && status < 400) return;
    await held.keepAnswer(status, typeof payload === 'string' ? payload : '');
  }
}

function answerAgain(request: FastifyRequest, reply: FastifyReply, found: FoundKey): void {
  void reply
    .code(found.status ?? 200)
    .header('idempotent-replayed', 'true')
    .header('content-type', 'application/json; charset=utf-8')
    .send(storedAnswer(request, found.body));
}

/** The hash of a release before keyed hashes: method, path with its query, and the body's text. Such keys are deleted after a day. */
function unkeyedHashOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.rawBody ?? '')
    .digest('base64url');
}
