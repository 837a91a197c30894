import { LRUCache } from 'lru-cache';
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { DataCipher } from './data-cipher.ts';

/** As many secrets as are used again and again: one is some 300 bytes here. */
const REMEMBERED = 1_000;

/**
 * HMAC keys of secrets that are kept encrypted. To decrypt one and to make a key of it takes five times as long as to sign with it, so
 * what was used last is remembered, as keys of Node, which no log or error can print.
 */
export class SealedKeys {
  private readonly keys = new LRUCache<string, KeyObject>({ max: REMEMBERED });

  /** `bytesOf` reads the key's bytes from the secret as a client was told it. */
  constructor(
    private readonly cipher: DataCipher,
    private readonly bytesOf: (secret: string) => Buffer,
  ) {}

  /** The key of a value that `DataCipher.encrypt` made; throws as `decrypt` does. */
  of(sealed: string): KeyObject {
    const known = this.keys.get(sealed);
    if (known) return known;
    const key = createSecretKey(this.bytesOf(this.cipher.decrypt(sealed)));
    this.keys.set(sealed, key);
    return key;
  }
}
