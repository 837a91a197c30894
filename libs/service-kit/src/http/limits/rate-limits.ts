import type { RateAsk, RateKind, RateLease } from '@fundrail/contracts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../db/clock.ts';
import { outsideRequests } from '../request-context.ts';
import { LeasedBucket } from './leased-bucket.ts';
import { verdictOn, type Verdict } from './verdict.ts';

/** Two a tenant, a few hundred bytes each. */
const MOST_BUCKETS = 20_000;
/** What identity takes at once. */
const MOST_ASKS = 500;
/** How long nobody is asked after there was no answer. */
const ALONE_MS = 1_000;

/** `late`: there was an answer, after those that waited for it had been judged without. `failed`: none, this process is alone. */
export type AskOutcome = 'answered' | 'late' | 'failed';

export interface RateLimitOptions {
  /** How long a request waits for identity before this process judges it alone. Wall milliseconds. */
  readonly waitMs: number;
  /** The least used of more are forgotten. */
  readonly mostBuckets?: number;
}

/** Asks identity, which answers in the order of the asks. Rejects when there is no answer in time. */
export type AskForRates = (asks: readonly RateAsk[]) => Promise<readonly RateLease[]>;

interface Entry {
  /** Of its bucket. */
  readonly name: string;
  readonly bucket: LeasedBucket;
  waiting: ((verdict: Verdict) => void)[];
}

/**
 * The limit of each tenant over all processes (contract §0.3, decision 0020): identity keeps one bucket for each tenant and
 * kind, a process leases a part of it ahead, in one call for all tenants at a time. So a request normally waits for nothing.
 */
export class RateLimits {
  private readonly entries: LRUCache<string, Entry>;
  /** By name: the least used are forgotten at any time, and no bucket may stand in an ask twice. */
  private readonly low = new Map<string, Entry>();
  private isAsking = false;
  /** The answer that is awaited is late: nobody waits for it any more. */
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

  /** Called with the outcome of each ask. */
  onAsked(listener: (outcome: AskOutcome) => void): void {
    this.listener = listener;
  }

  /** Counts one request. A promise only when nothing is known or held of that bucket. Never rejects. */
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
    // Requests that arrive together ask together.
    outsideRequests(() => queueMicrotask(() => void this.askAll()));
  }

  /** One call at a time: what becomes low meanwhile is in the next. */
  private async askAll(): Promise<void> {
    while (this.low.size > 0) {
      const entries = [...this.low.values()].slice(0, MOST_ASKS);
      for (const { name } of entries) this.low.delete(name);
      const now = this.clock.now().getTime();
      // What became low during the last call may have been filled by its answer.
      const needy = entries.filter(({ bucket, waiting }) => waiting.length > 0 || bucket.isLow(now));
      await this.askFor(needy.map((entry) => ({ entry, ask: entry.bucket.ask(entry.waiting.length) })));
    }
    this.isAsking = false;
  }

  private async askFor(asked: readonly { readonly entry: Entry; readonly ask: RateAsk }[]): Promise<void> {
    if (asked.length === 0) return;
    const late = setTimeout(() => this.judgeAlone(asked.map(({ entry }) => entry)), this.options.waitMs);
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

  /** Null: there was no answer, or there was none a moment ago. */
  private async leasesFor(asks: readonly RateAsk[]): Promise<readonly RateLease[] | null> {
    const alone = this.aloneUntil - this.clock.now().getTime();
    // More than it was made: the clock was set back.
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

  /** The answer is late. All that wait are judged now, and until it is there nobody else waits for it. */
  private judgeAlone(asked: readonly Entry[]): void {
    this.isLate = true;
    const now = this.clock.now().getTime();
    for (const entry of [...asked, ...this.low.values()]) {
      const { waiting } = entry;
      entry.waiting = [];
      for (const resolve of waiting) resolve(verdictOn(entry.bucket, entry.bucket.takeAlone(now), now));
    }
  }

  /** Those that waited are let in or refused in their order; who came after the question waits for the next answer. */
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

  /** They wait with those of a successor, when the entry was forgotten during its ask. */
  private waitOn(entry: Entry, waiting: Entry['waiting']): void {
    const low = this.low.get(entry.name) ?? entry;
    low.waiting.unshift(...waiting);
    this.low.set(low.name, low);
  }
}
