import { LRUCache } from 'lru-cache';
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Cell } from './cell.ts';
import type { DataCipher } from './data-cipher.ts';

/** More than the secrets in frequent use; a key takes about 300 bytes here. */
const CACHED_KEYS = 1_000;

/** An encrypted value, and where it is stored. */
export interface Sealed {
  readonly value: string;
  readonly cell: Cell;
}

/**
 * HMAC keys of secrets that are stored encrypted. Decrypting a secret and creating its key takes five times as long as signing, so the
 * keys that were used last are cached, as `KeyObject`s, which no log or error can print.
 */
export class SealedKeys {
  private readonly keys = new LRUCache<string, KeyObject>({ max: CACHED_KEYS });

  /** `bytesOf` reads the key's bytes from the secret in the form that the client has. */
  constructor(
    private readonly cipher: DataCipher,
    private readonly bytesOf: (secret: string) => Buffer,
  ) {}

  /** The key of a value that is stored in this cell; throws as `decrypt` does. */
  of({ value, cell }: Sealed): KeyObject {
    const name = JSON.stringify([value, cell.table, cell.column, cell.tenant, ...cell.key]);
    const known = this.keys.get(name);
    if (known) return known;
    const key = createSecretKey(this.bytesOf(this.cipher.decrypt(value, cell)));
    this.keys.set(name, key);
    return key;
  }
}
