/** A rate limit: `perSecond` in the long run, at most `burst` together. */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/**
 * Token buckets by key, at most `max` of them: the least recently used one is deleted first, and is full when its key is used
 * again. They are in the memory of this process, so a key may get its rate once per replica.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly rate: Rate,
    private readonly max: number,
  ) {}

  /** Takes one token at `nowMs` of a monotonic clock. Returns 0, or the seconds until there is a token. */
  take(key: string, nowMs: number): number {
    const { perSecond, burst } = this.rate;
    const before = this.buckets.get(key) ?? { tokens: burst, at: nowMs };
    const tokens = Math.min(burst, before.tokens + ((nowMs - before.at) / 1000) * perSecond);
    const hasToken = tokens >= 1;
    this.keep(key, { tokens: hasToken ? tokens - 1 : tokens, at: nowMs });
    return hasToken ? 0 : Math.ceil((1 - tokens) / perSecond);
  }

  get size(): number {
    return this.buckets.size;
  }

  private keep(key: string, bucket: Bucket): void {
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size <= this.max) return;
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
