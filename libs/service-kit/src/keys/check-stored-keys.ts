import type { Queryable } from '@fundrail/persistence';
import { BadEnvironment } from '../config/environment.ts';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import { EncryptedColumnRepository } from './encrypted-column.repository.ts';
import { renewed } from './renewed-value.ts';

/** A value of format v1, alone or in a list of JSON; a v2 value may contain these letters by chance. */
const V1 = /(?:^|")v1\./;

/**
 * Reads the first row of each column, so that a start with the key of another installation, or without a key that is still needed,
 * fails before the first request. Throws `BadEnvironment`. `main.js keys status` checks all rows.
 */
export async function checkStoredKeys(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
): Promise<void> {
  for (const column of columns) {
    const rows = new EncryptedColumnRepository(db, column);
    const [first] = await rows.page(null, cipher.currentPrefix, 1);
    const found = first ? renewed(cipher, column, first) : null;
    if (cipher.refusesV1 && V1.test(first?.value ?? ''))
      throw new BadEnvironment(
        `DATA_ENCRYPTION_FORMAT is v2-only, but ${column.table}.${column.column} contains values of format v1: ` +
          'start with v2, run `keys rotate` until none is left, then set v2-only',
      );
    if (found && 'unreadable' in found)
      throw new BadEnvironment(
        `DATA_ENCRYPTION_KEY does not decrypt ${column.table}.${column.column} (${found.unreadable}; given is ${cipher.keyIds.join(', ')}): ` +
          'add the secret that encrypted it at the end of the list, after a comma',
      );
  }
}
