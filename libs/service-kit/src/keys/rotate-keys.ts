import type { Queryable } from '@fundrail/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import { walkColumn, type ColumnWalk } from './walk-column.ts';

/** Two do where all replicas encrypt with the first key. */
const MOST_PASSES = 10;
/** Rows are locked for the length of a transaction. */
const PAUSE_MS = 500;

/** Is told of each column that was gone through. */
export type Tell = (column: EncryptedColumn, walk: ColumnWalk) => void;

/** What is left at the end: rows under another key that the list has, and rows that no key of the list decrypts. */
export interface Left {
  readonly stale: number;
  readonly unreadable: number;
}

/**
 * Encrypts everything in these columns under the first key, and makes keyed hashes anew, while services read and write. Goes through all of
 * it again until a whole pass finds nothing under another key: what was written meanwhile, or locked, is found by the next one. Nothing
 * is kept of a run but what it has written: one that was killed is simply begun again.
 */
export async function rotateKeys(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
  tell: Tell,
): Promise<Left> {
  let left: Left = { stale: 0, unreadable: 0 };
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    if (pass > 2) await pause(PAUSE_MS);
    left = await walkAll(db, columns, cipher, { isRewriting: true, isFirst: pass === 1 }, tell);
    if (left.stale === 0) return left;
  }
  return left;
}

/** Counts what is under another key than the first one, and changes nothing. */
export function countLeft(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
  tell: Tell,
): Promise<Left> {
  return walkAll(db, columns, cipher, { isRewriting: false, isFirst: true }, tell);
}

async function walkAll(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
  pass: { readonly isRewriting: boolean; readonly isFirst: boolean },
  tell: Tell,
): Promise<Left> {
  const left = { stale: 0, unreadable: 0 };
  for (const column of columns) {
    const walk = await walkColumn(db, column, cipher, pass.isRewriting);
    if (pass.isFirst || walk.stale > 0) tell(column, walk);
    left.stale += walk.stale;
    for (const count of walk.unreadable.values()) left.unreadable += count;
  }
  return left;
}
