import type { Queryable } from '@fundrail/persistence';
import { noteSeen } from './reconciliation.repository.ts';
import { ReconciliationCheck, type CheckPage, type Finding, type Window } from './reconciliation-check.ts';

/** A page of an outside system's list. */
export interface Listed<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** The query of a list; times are business times. */
export interface ListQuery {
  readonly from: Date;
  readonly to: Date;
  readonly cursor: string | null;
}

/** A payment of today may have been registered there days ago, so the list is read from this much earlier. */
const REGISTERED_BEFORE_MS = 2 * 86_400_000;
const THEIRS = 'theirs:';
const OURS = 'ours:';

/**
 * Compares an outside system's list with our rows in both directions: first all their entries, which are noted in
 * `reconciliation_seen`, then our rows that were not among them. Only one page is kept in memory.
 */
export abstract class BookCheck<Entry> extends ReconciliationCheck {
  constructor(protected readonly db: Queryable) {
    super();
  }

  async page(cursor: string | null, window: Window): Promise<CheckPage> {
    if (cursor?.startsWith(OURS)) return this.pageOfOurs(cursor.slice(OURS.length), window);
    const from = new Date(window.from.getTime() - REGISTERED_BEFORE_MS);
    const theirs = cursor?.slice(THEIRS.length) ?? null;
    const { entries, next } = await this.list({ from, to: window.to, cursor: theirs });
    await noteSeen(
      this.db,
      this.name,
      entries.map((entry) => this.keyOf(entry)),
    );
    const found = entries.length === 0 ? [] : await this.compare(entries);
    return { found, next: next === null ? OURS : THEIRS + next, looked: entries.length };
  }

  /** Throws when there is no valid answer. */
  protected abstract list(query: ListQuery): Promise<Listed<Entry>>;
  /** The key by which `unseen` finds the entry. */
  protected abstract keyOf(entry: Entry): string;
  protected abstract compare(entries: readonly Entry[]): Promise<readonly Finding[]>;
  /** Our rows after `after` that were not among their entries. They are suspects, because the list may not have them yet. */
  protected abstract unseen(after: string, window: Window): Promise<CheckPage>;

  private async pageOfOurs(after: string, window: Window): Promise<CheckPage> {
    const page = await this.unseen(after, window);
    return { ...page, next: page.next === null ? null : OURS + page.next };
  }
}
