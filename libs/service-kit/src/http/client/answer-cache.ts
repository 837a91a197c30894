import { ApiError } from '@fundrail/contracts';

interface Entry<T> {
  readonly value: Promise<T>;
  readonly until: number;
  /** Until then it may be used when its source is down. */
  staleUntil: number;
}

/**
 * A cache of at most `max` answers, each for `keepMs`; the oldest are deleted first. Failures are not cached. For `staleMs` more an
 * answer is used while its source is down (`SERVICE_UNAVAILABLE`). Times are wall milliseconds.
 */
export class AnswerCache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly keepMs: number,
    private readonly max: number,
    private readonly staleMs = 0,
  ) {}

  /** The cached answer, or the answer of `ask`. Concurrent callers share one call of `ask`. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const cached = this.entries.get(key);
    const now = performance.now();
    if (cached && cached.until > now) return cached.value;
    const until = now + this.keepMs;
    const value = ask().catch((error: unknown) => this.staleAnswer(error, cached, entry));
    const entry: Entry<T> = { value, until, staleUntil: until + this.staleMs };
    this.entries.delete(key);
    this.entries.set(key, entry);
    this.dropOldest();
    value.catch(() => this.entries.get(key) === entry && this.entries.delete(key));
    return value;
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** The previous answer. Its use does not extend its stale time. */
  private staleAnswer(error: unknown, before: Entry<T> | undefined, entry: Entry<T>): Promise<T> {
    const isDown = error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE';
    if (!isDown || !before || before.staleUntil <= performance.now()) throw error;
    entry.staleUntil = before.staleUntil;
    return before.value;
  }

  private dropOldest(): void {
    if (this.entries.size <= this.max) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
