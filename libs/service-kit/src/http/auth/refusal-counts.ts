import type { BeginOperatorCall } from '@fundrail/contracts';
import { LRUCache } from 'lru-cache';
import type { OperatorCalls } from '../operator-calls.ts';

/** Equal refusals within this many wall milliseconds are one row. */
const SAME_FOR_MS = 60_000;
/** How many different refusals are held: enough for clients times admin routes, even in a flood. */
const MOST = 1_000;

interface Noted {
  readonly id: Promise<number>;
  readonly until: number;
  more: number;
}

/** Limits the cost of refusals for identity: the first of a minute is a row, the others are a number that is added to it later. */
export class RefusalCounts {
  private readonly noted = new LRUCache<string, Noted>({
    max: MOST,
    dispose: (noted) => void this.add(noted),
  });

  constructor(
    private readonly calls: Pick<OperatorCalls, 'begin' | 'repeated'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Rejects when the row of a first refusal could not be written; the next refusal then counts as the first. */
  async note(same: string, call: BeginOperatorCall): Promise<void> {
    const known = this.noted.get(same);
    if (known && known.until > this.now()) {
      known.more += 1;
      return;
    }
    const id = this.calls.begin(call).then((row) => row.id);
    // When an entry is replaced, `dispose` writes its count.
    this.noted.set(same, { id, until: this.now() + SAME_FOR_MS, more: 0 });
    try {
      await id;
    } catch (error) {
      this.noted.delete(same);
      throw error;
    }
  }

  /** Writes all remaining counts. */
  async write(): Promise<void> {
    await Promise.all([...this.noted.values()].map((noted) => this.add(noted)));
  }

  private async add(noted: Noted): Promise<void> {
    const { more } = noted;
    if (more === 0) return;
    noted.more = 0;
    const id = await noted.id.catch(() => null);
    if (id !== null) await this.calls.repeated(id, more);
  }
}
