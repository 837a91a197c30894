import { RECONCILIATION_PAGE, type ReconciliationKindName } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { edgeOf, findings, type About } from './compare.ts';
import { noteSeen } from './reconciliation.repository.ts';
import { DeclaredCheck, type Declared } from './declared-check.ts';
import { Unanswered, type CheckPage, type Finding, type Window } from './reconciliation-check.ts';

/** The query of a list; times are business times. */
interface ListQuery {
  readonly from: Date;
  readonly to: Date;
  readonly cursor: string | null;
}

/** A page of an outside system's list, or why there is none. */
type ListAnswer<Listed> =
  | {
      readonly kind: 'yes';
      readonly value: { readonly entries: readonly Listed[]; readonly next: string | null };
    }
  | { readonly kind: 'no' | 'not_found' | 'unknown' };

/** A check that compares an outside system's list with our rows in both directions. */
export interface BookDeclared<Listed, Entry extends About> extends Declared {
  /** Undefined: the system has no list. */
  readonly list: (query: ListQuery) => Promise<ListAnswer<Listed>> | undefined;
  /** The error when it gives none, followed by the kind of its answer. */
  readonly noList: string;
  /** An entry as a finding names it. */
  readonly entryOf: (listed: Listed) => Entry;
  /** Of at least one entry. */
  readonly compare: (entries: readonly Entry[]) => Promise<readonly Finding[]>;
  /** The entry of a finding as it is there now; `still` when the finding holds, null when it does not. */
  readonly now: (finding: Finding) => Promise<Entry | 'still' | null>;
  /** Left out where the service itself sees that one of its rows is missing there. */
  readonly missingThere?: MissingThere;
}

interface MissingThere {
  readonly db: Queryable;
  readonly kind: ReconciliationKindName;
  /** Our next rows whose object is not in `reconciliation_seen`. They are suspects, because the list may not have them yet. */
  readonly unseen: (
    after: string,
    window: Window,
  ) => Promise<readonly (About & { readonly place: string | number })[]>;
}

/** A payment of today may have been registered there days ago, so the list is read from this much earlier. */
const REGISTERED_BEFORE_MS = 2 * 86_400_000;
const THEIRS = 'theirs:';
const OURS = 'ours:';

/** Carries out such a declaration: first for all their entries, then for our rows that were not among them. One page is kept in memory. */
export class BookCheck<Listed, Entry extends About = About> extends DeclaredCheck<
  BookDeclared<Listed, Entry>
> {
  async page(cursor: string | null, window: Window): Promise<CheckPage> {
    const { list, noList, entryOf, missingThere } = this.declared;
    if (missingThere && cursor?.startsWith(OURS))
      return pageOfOurs(missingThere, cursor.slice(OURS.length), window);
    const from = new Date(window.from.getTime() - REGISTERED_BEFORE_MS);
    const answer = await list({ from, to: window.to, cursor: cursor?.slice(THEIRS.length) ?? null });
    if (!answer) return { found: [], next: null, looked: 0 };
    if (answer.kind !== 'yes') throw new Unanswered(`${noList}: ${answer.kind}`);
    const { next } = answer.value;
    const entries = answer.value.entries.map(entryOf);
    const keys = entries.map(({ object }) => object);
    if (missingThere) await noteSeen(missingThere.db, this.name, keys);
    const afterLast = missingThere ? OURS : null;
    const found = await this.compare(entries);
    return { found, next: next === null ? afterLast : THEIRS + next, looked: entries.length };
  }

  async again(found: readonly Finding[]): Promise<readonly Finding[]> {
    const still: Finding[] = [];
    const entries: Entry[] = [];
    for (const finding of found) {
      const now = await this.declared.now(finding);
      if (now === 'still') still.push(finding);
      else if (now) entries.push(now);
    }
    return [...still, ...(await this.compare(entries))];
  }

  private async compare(entries: readonly Entry[]): Promise<readonly Finding[]> {
    return entries.length === 0 ? [] : this.declared.compare(entries);
  }
}

async function pageOfOurs({ kind, unseen }: MissingThere, after: string, window: Window): Promise<CheckPage> {
  const rows = await unseen(after, window);
  const { next, looked } = edgeOf(rows, RECONCILIATION_PAGE, ({ place }) => place);
  const found = rows.flatMap((row) => findings(row, { [kind]: {} }));
  return { found, next: next === null ? null : OURS + next, looked };
}
