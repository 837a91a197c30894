import type { RateAsk, RateKind, RateLease } from '@fundrail/contracts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../db/clock.ts';
import { outsideRequests } from '../request-context.ts';
import { LeasedBucket } from './leased-bucket.ts';
import { verdictOn, type Verdict } from './verdict.ts';

/** Two for each tenant, a few hundred bytes each. */
const MOST_BUCKETS = 20_000;
/** The most that identity takes in one call. */
const MOST_ASKS = 500;
/** How long identity is not called after a failure. */
const ALONE_MS = 1_000;

/** `late`: the answer arrived after the waiting requests had been decided without it. `failed`: no answer, this process decides alone. */
export type AskOutcome = 'answered' | 'late' | 'failed';

interface RateLimitOptions {
  /** How long a request waits for identity before this process decides alone. Wall milliseconds. */
  readonly waitMs: number;
  /** Above this number the least recently used are evicted. */
  readonly mostBuckets?: number;
}

/** Calls identity, which answers in the order of `asks`. Rejects when there is no answer in time. */
export type AskForRates = (asks: readonly RateAsk[]) => Promise<readonly RateLease[]>;

interface Entry {
  /** The bucket's name. */
  readonly name: string;
  readonly bucket: LeasedBucket;
  waiting: ((verdict: Verdict) => void)[];
}

/**
 * The limit of each tenant over all processes (RATE-3, decision 0020). Identity keeps one bucket for each tenant and kind, and a
 * process leases a part of it in advance, with one call at a time for all tenants. So a request normally does not wait.
 */
export class RateLimits {
  private readonly entries: LRUCache<string, Entry>;
  /** Buckets to ask identity about. By name, because entries may be evicted at any time, and a call may contain a bucket only once. */
  private readonly low = new Map<string, Entry>();
  private isAsking = false;
  /** The current call's answer is late: no request waits for it any more. */
  private isLate = false;
  private aloneUntil = -Infinity;
  private listener: (outcome: AskOutcome) => void = () => undefined;

  constructor(
    private readonly askIdentity: AskForRates,
    private readonly clock: Clock,
    private readonly options: RateLimitOptions,
  ) {
    this.entries = new LRUCache<string, Entry>({ max: options.mostBuckets ?? MOST_BUCKETS });
  }

  /** Sets a listener for the outcome of each call to identity. */
  onAsked(listener: (outcome: AskOutcome) => void): void {
    this.listener = listener;
  }

  /** Counts one request. Returns a promise only when the decision needs identity. Never rejects. */
  take(tenant: string, kind: RateKind): Verdict | Promise<Verdict> {
    const now = this.clock.now().getTime();
    const entry = this.entryOf(tenant, kind);
    const taken = entry.waiting.length > 0 ? 'wait' : entry.bucket.take(now);
    if (taken === 'wait' || entry.bucket.isLow(now)) this.ask(entry);
    if (taken !== 'wait') return verdictOn(entry.bucket, taken === 'admitted', now);
    if (this.isLate) return verdictOn(entry.bucket, entry.bucket.takeAlone(now), now);
    return new Promise((resolve) => entry.waiting.push(resolve));
  }

  private entryOf(tenant: string, kind: RateKind): Entry {
    const name = `${kind} ${tenant}`;
    const known = this.low.get(name) ?? this.entries.get(name);
    if (known) return known;
    const entry: Entry = { name, bucket: new LeasedBucket(tenant, kind), waiting: [] };
    this.entries.set(name, entry);
    return entry;
  }

  private ask(entry: Entry): void {
    this.low.set(entry.name, entry);
    if (this.isAsking) return;
    this.isAsking = true;
    // Requests that arrive together share one call.
    outsideRequests(() => queueMicrotask(() => void this.askAll()));
  }

  /** One call at a time: buckets that become low meanwhile are in the next one. */
  private async askAll(): Promise<void> {
    while (this.low.size > 0) {
      const entries = [...this.low.values()].slice(0, MOST_ASKS);
      for (const { name } of entries) this.low.delete(name);
      const now = this.clock.now().getTime();
      // The answer of the last call may have filled a bucket that became low during it.
      const needy = entries.filter(({ bucket, waiting }) => waiting.length > 0 || bucket.isLow(now));
      await this.askFor(needy.map((entry) => ({ entry, ask: entry.bucket.ask(entry.waiting.length) })));
    }
    this.isAsking = false;
  }

  private async askFor(asked: readonly { readonly entry: Entry; readonly ask: RateAsk }[]): Promise<void> {
    if (asked.length === 0) return;
    const late = setTimeout(() => this.decideAlone(asked.map(({ entry }) => entry)), this.options.waitMs);
    const leases = await this.leasesFor(asked.map(({ ask }) => ask));
    clearTimeout(late);
    this.isLate = false;
    const now = this.clock.now().getTime();
    for (const [at, { entry, ask }] of asked.entries()) {
      const lease = leases?.[at];
      if (lease) entry.bucket.receive(ask, lease, now);
      else entry.bucket.receiveAlone(ask, now);
      this.settle(entry, now);
    }
  }

  /** Null: there was no answer, now or in the last second. */
  private async leasesFor(asks: readonly RateAsk[]): Promise<readonly RateLease[] | null> {
    const alone = this.aloneUntil - this.clock.now().getTime();
    // More than ALONE_MS means that the clock was set back.
    if (alone > 0 && alone <= ALONE_MS) return null;
    try {
      const leases = await this.askIdentity(asks);
      this.listener(this.isLate ? 'late' : 'answered');
      return leases;
    } catch {
      this.listener('failed');
      this.aloneUntil = this.clock.now().getTime() + ALONE_MS;
      return null;
    }
  }

  /** The answer is late. All waiting requests are decided now, and no further request waits for it. */
  private decideAlone(asked: readonly Entry[]): void {
    this.isLate = true;
    const now = this.clock.now().getTime();
    for (const entry of [...asked, ...this.low.values()]) {
      const { waiting } = entry;
      entry.waiting = [];
      for (const resolve of waiting) resolve(verdictOn(entry.bucket, entry.bucket.takeAlone(now), now));
    }
  }

  /** Decides the waiting requests in their order; requests that came after the call wait for the next answer. */
  private settle(entry: Entry, now: number): void {
    const { waiting } = entry;
    entry.waiting = [];
    for (const [at, resolve] of waiting.entries()) {
      const taken = entry.bucket.take(now);
      if (taken === 'wait') {
        this.waitOn(entry, waiting.slice(at));
        return;
      }
      resolve(verdictOn(entry.bucket, taken === 'admitted', now));
    }
  }

  /** When the entry was evicted during its call, its requests wait in the new entry. */
  private waitOn(entry: Entry, waiting: Entry['waiting']): void {
    const low = this.low.get(entry.name) ?? entry;
    low.waiting.unshift(...waiting);
    this.low.set(low.name, low);
  }
}
