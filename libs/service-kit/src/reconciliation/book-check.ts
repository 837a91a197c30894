import type { Queryable } from '@fundrail/messaging';
import { noteSeen } from './reconciliation.repository.ts';
import { ReconciliationCheck, type CheckPage, type Finding, type Window } from './reconciliation-check.ts';

/** A page of an outside system's list. */
export interface Listed<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** What is asked of a list: business times. */
export interface ListQuery {
  readonly from: Date;
  readonly to: Date;
  readonly cursor: string | null;
}

/** What was paid today may have been registered there days ago: the list is read from so much earlier on. */
const REGISTERED_BEFORE_MS = 2 * 86_400_000;
const THEIRS = 'theirs:';
const OURS = 'ours:';

/**
 * An outside system's own list against our rows, both ways: first all of theirs, which is noted in `reconciliation_seen`, then those
 * of ours that were not met there. Nothing of either is kept in memory but a page.
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

  /** Throws when there is no answer that counts. */
  protected abstract list(query: ListQuery): Promise<Listed<Entry>>;
  /** What `unseen` finds it by. */
  protected abstract keyOf(entry: Entry): string;
  protected abstract compare(entries: readonly Entry[]): Promise<readonly Finding[]>;
  /** Of our rows after `after` those that were not met: suspects, since the list may only be younger than they. */
  protected abstract unseen(after: string, window: Window): Promise<CheckPage>;

  private async pageOfOurs(after: string, window: Window): Promise<CheckPage> {
    const page = await this.unseen(after, window);
    return { ...page, next: page.next === null ? null : OURS + page.next };
  }
}
