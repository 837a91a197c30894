import { ApiError } from '@fundrail/contracts';

interface Kept<T> {
  readonly value: Promise<T>;
  readonly until: number;
  /** How long it may stand in when there is no newer answer. */
  lastResortUntil: number;
}

/**
 * Answers that are kept for a while; at most `most` of them, the oldest go first. Failures are not kept. For `lastResortMs` more an
 * answer stands in while its source is down (`SERVICE_UNAVAILABLE`); times are wall milliseconds.
 */
export class KeptFor<T> {
  private readonly entries = new Map<string, Kept<T>>();

  constructor(
    private readonly keepMs: number,
    private readonly most: number,
    private readonly lastResortMs = 0,
  ) {}

  /** The kept answer, or `ask`'s. Those who come while it is asked share the answer. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.entries.get(key);
    const now = performance.now();
    if (kept && kept.until > now) return kept.value;
    const until = now + this.keepMs;
    const value = ask().catch((error: unknown) => this.lastResort(error, kept, entry));
    const entry: Kept<T> = { value, until, lastResortUntil: until + this.lastResortMs };
    this.entries.delete(key);
    this.entries.set(key, entry);
    this.dropOldest();
    value.catch(() => this.entries.get(key) === entry && this.entries.delete(key));
    return value;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  /** The answer before, which gets no younger by standing in. */
  private lastResort(error: unknown, before: Kept<T> | undefined, entry: Kept<T>): Promise<T> {
    const isDown = error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE';
    if (!isDown || !before || before.lastResortUntil <= performance.now()) throw error;
    entry.lastResortUntil = before.lastResortUntil;
    return before.value;
  }

  private dropOldest(): void {
    if (this.entries.size <= this.most) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
