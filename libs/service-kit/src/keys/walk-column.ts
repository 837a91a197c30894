import type { Queryable } from '@fundrail/persistence';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import { EncryptedColumnRepository } from './encrypted-column.repository.ts';
import { renewed, type Renewed } from './renewed-value.ts';

/** A page takes some ten milliseconds to read, encrypt and write; its rows are locked for a few milliseconds. */
const PAGE = 500;

/** The result of one walk through a column, in rows. */
export interface ColumnWalk {
  readonly looked: number;
  /** Under another key, or found by another key's hash. */
  readonly stale: number;
  /** The stale rows under the first key, but in another format than the current one. */
  readonly otherFormat: number;
  /** The stale rows that were rewritten. The others were locked or changed meanwhile. */
  readonly rewritten: number;
  /** The rows that no key decrypts: how many, by reason. */
  readonly unreadable: ReadonlyMap<string, number>;
}

/** Reads all rows of a column in the order of their key and, with `isRewriting`, rewrites the stale ones. */
export async function walkColumn(
  db: Queryable,
  column: EncryptedColumn,
  cipher: DataCipher,
  isRewriting: boolean,
): Promise<ColumnWalk> {
  const rows = new EncryptedColumnRepository(db, column);
  const unreadable = new Map<string, number>();
  const counts = { looked: 0, stale: 0, otherFormat: 0, rewritten: 0 };
  let after: readonly string[] | null = null;
  for (;;) {
    const page = await rows.page(after, cipher.currentPrefix, PAGE);
    const stale: Renewed[] = [];
    for (const stored of page) {
      const found = renewed(cipher, column, stored);
      if (found === null) continue;
      if ('unreadable' in found)
        unreadable.set(found.unreadable, (unreadable.get(found.unreadable) ?? 0) + 1);
      else stale.push(found);
    }
    counts.looked += page.length;
    counts.stale += stale.length;
    counts.otherFormat += stale.filter(({ isOtherFormat }) => isOtherFormat).length;
    if (isRewriting && stale.length > 0) counts.rewritten += await rows.rewrite(stale);
    after = page.at(-1)?.key ?? null;
    if (page.length < PAGE) return { ...counts, unreadable };
  }
}
