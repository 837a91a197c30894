import { stringifyJson } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import type { DataCipher } from '../../crypto/data-cipher.ts';
import { keyInUse } from '../errors/error-answer.ts';
import type { IdempotencyKey, KeyCompletion } from './idempotency-key.ts';
import { bodyCell, type Holding, type KeyStore } from './key-store.ts';

/** The key of a running request. `holder` is the mark of this request; a request that takes over the key writes another one. */
export class HeldKey implements IdempotencyKey {
  /** Whether the handler completed the key in its own transaction (which may still have been rolled back). */
  completed = false;
  /** Whether the key is freed with any answer. */
  keepsNothing = false;

  constructor(
    private readonly store: KeyStore,
    private readonly cipher: DataCipher,
    readonly holding: Holding,
    private readonly keyedHash: string,
    private reserved: string | null,
  ) {}

  get key(): string {
    return this.holding.key;
  }

  async reserve(draw: () => Promise<string>): Promise<string> {
    this.reserved ??= (await this.store.reserve(this.holding, await draw())) ?? null;
    if (this.reserved === null) throw keyInUse();
    return this.reserved;
  }

  completion(body: unknown, status = 200): KeyCompletion {
    this.completed = true;
    return { ...this.holding, status, body: this.seal(stringifyJson(body)) };
  }

  keepNothing(): void {
    this.keepsNothing = true;
  }

  /** Completes the key in the transaction of the effect. Throws 409 when the key was taken over, so that the effect is rolled back. */
  async complete(tx: Queryable, body: unknown, status: number): Promise<void> {
    this.completed = true;
    const done = await this.store.complete(this.holding, status, this.seal(stringifyJson(body)), tx);
    if (!done) throw keyInUse();
  }

  /**
   * Stores an answer without an effect. Does nothing when the key is completed or no longer ours. What is refused may be what nothing here
   * is to store, such as a whole Aadhaar number, so its hash is always the keyed one: no work is done twice where a release does not know it.
   */
  async keepAnswer(status: number, body: string): Promise<void> {
    if (status < 400) await this.store.complete(this.holding, status, this.seal(body));
    else await this.store.refuse(this.holding, status, this.seal(body), this.keyedHash);
  }

  /** Frees the key for a retry. Does nothing when it is completed or no longer ours. */
  async free(): Promise<void> {
    await this.store.free(this.holding);
  }

  /** Answers may contain personal data. */
  private seal(body: string): string {
    return this.cipher.encrypt(body, bodyCell(this.holding));
  }
}
