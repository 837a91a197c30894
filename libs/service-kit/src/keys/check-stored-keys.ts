import type { Queryable } from '@fundrail/messaging';
import { BadEnvironment } from '../config/environment.ts';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import { EncryptedColumnRepository } from './encrypted-column.repository.ts';
import { renewed } from './renewed-value.ts';

/**
 * Looks at the first row of each column, so that a start with another installation's key, or without one that is still needed, ends there and
 * not at the first request. Throws `BadEnvironment`. All rows are counted by `main.js keys status`.
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
    if (found && 'unreadable' in found)
      throw new BadEnvironment(
        `DATA_ENCRYPTION_KEY does not decrypt ${column.table}.${column.column} (${found.unreadable}; given is ${cipher.keyIds.join(', ')}): ` +
          'give the secret that encrypted it too, behind the others and a comma',
      );
  }
}
