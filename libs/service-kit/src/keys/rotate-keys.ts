import type { Queryable } from '@fundrail/persistence';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { EncryptedColumn } from './encrypted-column.ts';
import { walkColumn, type ColumnWalk } from './walk-column.ts';

/** Two are enough when all replicas encrypt with the first key. */
const MOST_PASSES = 10;
/** Time for other transactions to release their rows. */
const PAUSE_MS = 500;

/** Called for each column that was processed. */
export type Report = (column: EncryptedColumn, walk: ColumnWalk) => void;

/** The rows that are left: under another key of the list or in another format, and rows that no key of the list decrypts. */
export interface Left {
  readonly stale: number;
  /** The stale rows that are under the first key. */
  readonly otherFormat: number;
  readonly unreadable: number;
}

/** One pass over the columns. Each is reported in the first pass, later only those with stale rows. */
interface Pass {
  readonly isRewriting: boolean;
  readonly isFirst: boolean;
  readonly report: Report;
}

/**
 * Encrypts everything in these columns under the first key and in the current format, and replaces keyed hashes, while services read
 * and write. Repeats until a whole pass finds nothing under another key, because rows may have been written or locked meanwhile. A
 * run stores nothing else, so a killed run is simply started again.
 */
export async function rotateKeys(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
  report: Report,
): Promise<Left> {
  let left: Left = { stale: 0, otherFormat: 0, unreadable: 0 };
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    if (pass > 2) await pause(PAUSE_MS);
    left = await walkAll(db, columns, cipher, { isRewriting: true, isFirst: pass === 1, report });
    if (left.stale === 0) return left;
  }
  return left;
}

/** Counts values under other keys than the first, and changes nothing. */
export function countLeft(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
  report: Report,
): Promise<Left> {
  return walkAll(db, columns, cipher, { isRewriting: false, isFirst: true, report });
}

async function walkAll(
  db: Queryable,
  columns: readonly EncryptedColumn[],
  cipher: DataCipher,
  { isRewriting, isFirst, report }: Pass,
): Promise<Left> {
  const left = { stale: 0, otherFormat: 0, unreadable: 0 };
  for (const column of columns) {
    const walk = await walkColumn(db, column, cipher, isRewriting);
    if (isFirst || walk.stale > 0) report(column, walk);
    left.stale += walk.stale;
    left.otherFormat += walk.otherFormat;
    for (const count of walk.unreadable.values()) left.unreadable += count;
  }
  return left;
}
