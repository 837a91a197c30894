import type { Queryable } from '@fundrail/messaging';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import { EncryptedColumnRepository, type Rewrite } from './encrypted-column.repository.ts';
import { renewed } from './renewed-value.ts';

/** A page is read, encrypted and written in a few ten milliseconds, and its rows are locked for a few. */
const PAGE = 500;

/** What one walk through a column has come to, in rows. */
export interface ColumnWalk {
  readonly looked: number;
  /** Under another key, or found by another key's hash. */
  readonly stale: number;
  /** Of the stale ones. The others were locked, or changed meanwhile. */
  readonly rewritten: number;
  /** What no key decrypts: why, and how many. */
  readonly unreadable: ReadonlyMap<string, number>;
}

/** Goes through all rows of a column in the order of their key and, where asked for, writes the stale ones anew. */
export async function walkColumn(
  db: Queryable,
  column: EncryptedColumn,
  cipher: DataCipher,
  isRewriting: boolean,
): Promise<ColumnWalk> {
  const rows = new EncryptedColumnRepository(db, column);
  const unreadable = new Map<string, number>();
  const counts = { looked: 0, stale: 0, rewritten: 0 };
  let after: readonly string[] | null = null;
  for (;;) {
    const page = await rows.page(after, cipher.currentPrefix, PAGE);
    const stale: Rewrite[] = [];
    for (const stored of page) {
      const found = renewed(cipher, column, stored);
      if (found === null) continue;
      if ('unreadable' in found)
        unreadable.set(found.unreadable, (unreadable.get(found.unreadable) ?? 0) + 1);
      else stale.push(found);
    }
    counts.looked += page.length;
    counts.stale += stale.length;
    if (isRewriting && stale.length > 0) counts.rewritten += await rows.rewrite(stale);
    after = page.at(-1)?.key ?? null;
    if (page.length < PAGE) return { ...counts, unreadable };
  }
}
