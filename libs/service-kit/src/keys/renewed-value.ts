import { keyIdOf, type DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import type { Rewrite, StoredValue } from './encrypted-column.repository.ts';

/** A value that no key of the list decrypts. */
export interface Unreadable {
  /** The key that it names, or what it is instead. */
  readonly unreadable: string;
}

const IN_JSON = /"(v1\.[\w-]{8}\.[\w-]+\.[\w-]+)"/g;
const NO_VALUE = 'not an encrypted value';
const ALTERED = 'altered';

/** What a row needs so that the first key alone reads and finds it; null when that is so already. */
export function renewed(
  cipher: DataCipher,
  { type, hash }: Pick<EncryptedColumn, 'type' | 'hash'>,
  stored: StoredValue,
): Rewrite | Unreadable | null {
  const { key, value: old } = stored;
  if (old === null) return null;
  const unreadable = whyUnreadable(cipher, type === 'jsonb' ? valuesIn(old) : [old]);
  if (unreadable !== null) return { unreadable };
  const value =
    type === 'jsonb'
      ? old.replaceAll(IN_JSON, (_, one: string) => `"${encryptedAnew(cipher, one)}"`)
      : encryptedAnew(cipher, old);
  const newHash = hash === undefined ? null : cipher.keyedHash(cipher.decrypt(old));
  return value === old && newHash === stored.hash ? null : { key, old, value, hash: newHash };
}

function valuesIn(json: string): string[] {
  return [...json.matchAll(IN_JSON)].map(([, value = '']) => value);
}

function encryptedAnew(cipher: DataCipher, value: string): string {
  return value.startsWith(cipher.currentPrefix) ? value : cipher.encrypt(cipher.decrypt(value));
}

function whyUnreadable(cipher: DataCipher, values: readonly string[]): string | null {
  for (const value of values) {
    const id = keyIdOf(value);
    if (id === null) return NO_VALUE;
    if (!cipher.keyIds.includes(id)) return id;
    try {
      cipher.decrypt(value);
    } catch {
      return `${id}, ${ALTERED}`;
    }
  }
  return null;
}
