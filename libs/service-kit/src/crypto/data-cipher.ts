import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { additionalDataOf, nameOfCell, type Cell } from './cell.ts';
import { keyedHash } from './hashes.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12; // the length that GCM is designed for
const TAG_BYTES = 16;
const VALUE = /^(v[12])\.([\w-]{8})\.[\w-]+\.[\w-]+$/;

/** A v1 value is readable in any cell, a v2 value only in its own. */
type Format = 'v1' | 'v2';

/**
 * The values of `DATA_ENCRYPTION_FORMAT`. `v2` writes v2 and reads v1 as well; `v2-only` refuses v1; `v1` writes v1 and reads both, before
 * a rollback to a release that reads only v1.
 */
export const DATA_FORMATS = ['v2', 'v2-only', 'v1'] as const;
export type DataFormats = (typeof DATA_FORMATS)[number];

/** The service and the format of a cipher's values. */
interface CipherOf {
  /** The service that owns the database; its name is part of each cell. */
  readonly service?: string;
  /** `v2` when left out. */
  readonly formats?: DataFormats;
}

/** A value that cannot be read here. The message names the cell and the key, never the value. */
export class Undecryptable extends Error {
  override readonly name = 'Undecryptable';
}

interface DataKey {
  readonly id: string;
  /** Created once: from bytes, Node would create it for each value, which takes longer than decrypting one. */
  readonly encryption: KeyObject;
  readonly hashing: Buffer;
}

/**
 * Encrypts personal data at rest (AES-256-GCM) under `DATA_ENCRYPTION_KEY`: one or more secrets of at least 32 characters,
 * separated by commas. The first one encrypts, and all of them decrypt: each value names its key, so keys can be rotated.
 * A value of format v2 is bound to its cell and refused anywhere else (decision 0034).
 */
export class DataCipher {
  private readonly keys: readonly DataKey[];
  private readonly current: DataKey;
  private readonly service: string;
  private readonly formats: DataFormats;
  private isHeldBack = false;

  constructor(secrets: string, { service = '', formats = 'v2' }: CipherOf = {}) {
    this.keys = splitSecrets(secrets).map(keyOf);
    const [first] = this.keys;
    if (!first) throw new Error('DATA_ENCRYPTION_KEY is empty');
    this.current = first;
    this.service = service;
    this.formats = formats;
  }

  /** The public ids of the keys, the encrypting one first. They reveal nothing about the secrets. */
  get keyIds(): readonly string[] {
    return this.keys.map(({ id }) => id);
  }

  /** What `encrypt` writes now. */
  get format(): Format {
    return this.formats === 'v1' || this.isHeldBack ? 'v1' : 'v2';
  }

  /** Whether v1 is refused, even under a known key. */
  get refusesV1(): boolean {
    return this.formats === 'v2-only';
  }

  /** The prefix of each value that this cipher writes now. */
  get currentPrefix(): string {
    return `${this.format}.${this.current.id}.`;
  }

  /** Makes it write v1 while replicas of the previous release run, which read only v1. `v2-only` is never held back. */
  holdBack(isHeldBack: boolean): void {
    this.isHeldBack = isHeldBack && !this.refusesV1;
  }

  /** Encrypts the text for storage in this cell. */
  encrypt(text: string, cell: Cell): string {
    const { format } = this;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.current.encryption, iv);
    if (format === 'v2') cipher.setAAD(Buffer.from(additionalDataOf(this.service, cell)));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [format, this.current.id, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /**
   * Decrypts a value that is stored in this cell. Throws `Undecryptable` when the value was changed or belongs to another cell, when its
   * key is not among the secrets, and when its format is refused.
   */
  decrypt(value: string, cell: Cell): string {
    const [format, id, iv = '', text = ''] = value.split('.');
    const key = this.keys.find((candidate) => candidate.id === id);
    if ((format !== 'v1' && format !== 'v2') || !key) throw noKey(value, cell);
    if (format === 'v1' && this.refusesV1)
      throw new Undecryptable(
        `${nameOfCell(cell)} is in format v1, which DATA_ENCRYPTION_FORMAT=v2-only refuses`,
      );
    const sealed = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv(ALGORITHM, key.encryption, Buffer.from(iv, 'base64url'), {
        // Without it a shorter tag would be accepted, which is easier to guess.
        authTagLength: TAG_BYTES,
      });
      if (format === 'v2') decipher.setAAD(Buffer.from(additionalDataOf(this.service, cell)));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return decipher.update(sealed.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      const message = `${nameOfCell(cell)} contains a value that was changed, or that belongs to another row, column or tenant`;
      throw new Undecryptable(message, { cause });
    }
  }

  /** A hash under the first key, to find or compare an encrypted value. `npm run keys -- rotate` replaces stored ones. */
  keyedHash(text: string): string {
    return keyedHash(this.current.hashing, text);
  }

  /** `keyedHash` under every key, to find what was hashed under an earlier key. */
  keyedHashes(text: string): string[] {
    return this.keys.map(({ hashing }) => keyedHash(hashing, text));
  }
}

/** The single secrets of `DATA_ENCRYPTION_KEY`. */
export function splitSecrets(secrets: string): string[] {
  return secrets.split(',').map((secret) => secret.trim());
}

/** The format of this value and the id of its key, or null when it is not a value of `DataCipher`. */
export function partsOf(value: string): { readonly format: Format; readonly keyId: string } | null {
  const [, format, keyId] = VALUE.exec(value) ?? [];
  return keyId === undefined ? null : { format: format === 'v1' ? 'v1' : 'v2', keyId };
}

/** The message never repeats the value: a text that was never encrypted would end up in a log. */
function noKey(value: string, cell: Cell): Undecryptable {
  const parts = partsOf(value);
  const what = parts === null ? 'is not an encrypted value' : `names the key ${parts.keyId}`;
  return new Undecryptable(`DATA_ENCRYPTION_KEY has no key for ${nameOfCell(cell)}: it ${what}`);
}

function keyOf(secret: string): DataKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `fundrail ${purpose}`, 32));
  const id = createHash('sha256').update(`fundrail key id ${secret}`).digest('base64url').slice(0, 8);
  return { id, encryption: createSecretKey(derive('data encryption')), hashing: derive('keyed hash') };
}
