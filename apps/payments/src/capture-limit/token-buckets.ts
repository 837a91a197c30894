/** How much may be asked for: `perSecond` in the long run, `burst` at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/**
 * Token buckets by key, at most `most` of them: the one that was used longest ago is forgotten first, and is full when it
 * comes again. In the memory of this process: with more replicas a key may get as many times its rate.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly rate: Rate,
    private readonly most: number,
  ) {}

  /** Takes one token at `nowMs` of a clock that never goes back. Answers 0, or after how many seconds there is one. */
  take(key: string, nowMs: number): number {
    const { perSecond, burst } = this.rate;
    const before = this.buckets.get(key) ?? { tokens: burst, at: nowMs };
    const tokens = Math.min(burst, before.tokens + ((nowMs - before.at) / 1000) * perSecond);
    const isThere = tokens >= 1;
    this.keep(key, { tokens: isThere ? tokens - 1 : tokens, at: nowMs });
    return isThere ? 0 : Math.ceil((1 - tokens) / perSecond);
  }

  get size(): number {
    return this.buckets.size;
  }

  private keep(key: string, bucket: Bucket): void {
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size <= this.most) return;
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
