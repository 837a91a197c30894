import type { Cell } from '../crypto/cell.ts';
import { partsOf, type DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import type { Rewrite, StoredValue } from './encrypted-column.repository.ts';

/** A value that no key of the list decrypts. */
interface Unreadable {
  /** The key that it names, or why it is not readable. */
  readonly unreadable: string;
}

/** The new value of a row. `isOtherFormat`: it is already under the first key, and only the format differs. */
export interface Renewed extends Rewrite {
  readonly isOtherFormat: boolean;
}

const IN_JSON = /"(v[12]\.[\w-]{8}\.[\w-]+\.[\w-]+)"/g;
const NO_VALUE = 'not an encrypted value';
const ALTERED = 'altered or of another row';
const OLD_FORMAT = 'format v1, which DATA_ENCRYPTION_FORMAT=v2-only refuses';

/**
 * The new value with which the first key alone can read and find the row, in the current format; null when the row needs no change.
 * A value that the cipher refuses is never rewritten: that would make a copied value valid.
 */
export function renewed(
  cipher: DataCipher,
  column: EncryptedColumn,
  stored: StoredValue,
): Renewed | Unreadable | null {
  const { type, hash } = column;
  const { key, value: old } = stored;
  if (old === null) return null;
  const cell: Cell = { table: column.table, column: column.column, tenant: stored.tenant, key };
  const values = type === 'jsonb' ? valuesIn(old) : [old];
  const unreadable = whyUnreadable(cipher, cell, values);
  if (unreadable !== null) return { unreadable };
  const value =
    type === 'jsonb'
      ? old.replaceAll(IN_JSON, (_, one: string) => `"${reencrypted(cipher, cell, one)}"`)
      : reencrypted(cipher, cell, old);
  const newHash = hash === undefined ? null : cipher.keyedHash(cipher.decrypt(old, cell));
  if (value === old && newHash === stored.hash) return null;
  const [first] = cipher.keyIds;
  const isOtherFormat =
    newHash === stored.hash && values.every((one) => partsOf(one)?.keyId === first) && value !== old;
  return { key, old, value, hash: newHash, isOtherFormat };
}

function valuesIn(json: string): string[] {
  return [...json.matchAll(IN_JSON)].map(([, value = '']) => value);
}

function reencrypted(cipher: DataCipher, cell: Cell, value: string): string {
  return value.startsWith(cipher.currentPrefix) ? value : cipher.encrypt(cipher.decrypt(value, cell), cell);
}

function whyUnreadable(cipher: DataCipher, cell: Cell, values: readonly string[]): string | null {
  for (const value of values) {
    const parts = partsOf(value);
    if (parts === null) return NO_VALUE;
    const { format, keyId: id } = parts;
    if (!cipher.keyIds.includes(id)) return id;
    if (format === 'v1' && cipher.refusesV1) return OLD_FORMAT;
    try {
      cipher.decrypt(value, cell);
    } catch {
      return `${id}, ${ALTERED}`;
    }
  }
  return null;
}
