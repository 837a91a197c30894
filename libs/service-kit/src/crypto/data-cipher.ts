import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { keyedHash } from './hashes.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12; // what GCM is made for
const FORMAT = 'v1';
const VALUE = /^v1\.([\w-]{8})\.[\w-]+\.[\w-]+$/;

interface DataKey {
  readonly id: string;
  /** Made once: of bytes, Node makes it anew for each value, which takes longer than to decrypt one. */
  readonly encryption: KeyObject;
  readonly hashing: Buffer;
}

/**
 * Encrypts personal data at rest (AES-256-GCM) under `DATA_ENCRYPTION_KEY`: one or more secrets of at least 32 characters,
 * separated by commas. The first one encrypts; all of them decrypt, each value naming its key, so that keys can be rotated.
 */
export class DataCipher {
  private readonly keys: readonly DataKey[];
  private readonly current: DataKey;

  constructor(secrets: string) {
    this.keys = splitSecrets(secrets).map(keyOf);
    const [first] = this.keys;
    if (!first) throw new Error('DATA_ENCRYPTION_KEY is empty');
    this.current = first;
  }

  /** The public names of the keys, the one that encrypts first. They tell nothing of the secrets. */
  get keyIds(): readonly string[] {
    return this.keys.map(({ id }) => id);
  }

  /** What each value begins with that the first key has encrypted. */
  get currentPrefix(): string {
    return `${FORMAT}.${this.current.id}.`;
  }

  encrypt(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.current.encryption, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, this.current.id, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** Throws when the value was changed, or its key is not among the secrets. */
  decrypt(value: string): string {
    const [format, id, iv = '', text = ''] = value.split('.');
    const key = this.keys.find((candidate) => candidate.id === id);
    if (format !== FORMAT || !key)
      throw new Error(
        `DATA_ENCRYPTION_KEY has no key to decrypt a value of format ${format ?? ''}.${id ?? ''}`,
      );
    const sealed = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv(ALGORITHM, key.encryption, Buffer.from(iv, 'base64url'));
    decipher.setAuthTag(sealed.subarray(-16));
    return decipher.update(sealed.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
  }

  /** A hash by which an encrypted value is found or compared, made with the first key. `npm run keys -- rotate` makes stored ones anew. */
  keyedHash(text: string): string {
    return keyedHash(this.current.hashing, text);
  }

  /** `keyedHash` under every key: what was hashed before the first key was the first is found by one of them. */
  keyedHashes(text: string): string[] {
    return this.keys.map(({ hashing }) => keyedHash(hashing, text));
  }
}

/** The single secrets of `DATA_ENCRYPTION_KEY`. */
export function splitSecrets(secrets: string): string[] {
  return secrets.split(',').map((secret) => secret.trim());
}

/** The name of the key that encrypted this value, or null when it is none of `DataCipher`. */
export function keyIdOf(value: string): string | null {
  return VALUE.exec(value)?.[1] ?? null;
}

function keyOf(secret: string): DataKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `fundrail ${purpose}`, 32));
  const id = createHash('sha256').update(`fundrail key id ${secret}`).digest('base64url').slice(0, 8);
  return { id, encryption: createSecretKey(derive('data encryption')), hashing: derive('keyed hash') };
}

/** `DataCipher.encrypt` for one value. */
export function encrypt(secrets: string, text: string): string {
  return new DataCipher(secrets).encrypt(text);
}

/** `DataCipher.decrypt` for one value. */
export function decrypt(secrets: string, value: string): string {
  return new DataCipher(secrets).decrypt(value);
}
