import type { RateAsk, RateKind, RateLease } from '@fundrail/contracts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../db/clock.ts';
import { outsideRequests } from '../request-context.ts';
import { LeasedBucket, type Standing } from './leased-bucket.ts';

/** Two a tenant, a few hundred bytes each. */
const MOST_BUCKETS = 20_000;
/** What identity takes at once. */
const MOST_ASKS = 500;
/** How long nobody is asked after there was no answer. */
const ALONE_MS = 1_000;

/** The bucket's standing, and for a refused request the seconds to wait. */
export interface Verdict extends Standing {
  /** Null: let in. */
  readonly retry_after_s: number | null;
}

/** Asks identity, which answers in the order of the asks. Rejects when there is no answer in time. */
export type AskForRates = (asks: readonly RateAsk[]) => Promise<readonly RateLease[]>;

interface Entry {
  readonly bucket: LeasedBucket;
  waiting: ((verdict: Verdict) => void)[];
}

/**
 * The limit of each tenant over all processes (contract §0.3, decision 0020): identity keeps one bucket for each tenant and
 * kind, a process leases a part of it ahead, in one call for all tenants at a time. So a request normally waits for nothing.
 */
export class RateLimits {
  private readonly entries = new LRUCache<string, Entry>({ max: MOST_BUCKETS });
  private readonly low = new Set<Entry>();
  private isAsking = false;
  private aloneUntil = -Infinity;

  constructor(
    private readonly askIdentity: AskForRates,
    private readonly clock: Clock,
  ) {}

  /** Counts one request. A promise only when nothing is known or held of that bucket. Never rejects. */
  take(tenant: string, kind: RateKind): Verdict | Promise<Verdict> {
    const now = this.clock.now().getTime();
    const entry = this.entryOf(tenant, kind);
    const taken = entry.waiting.length > 0 ? 'wait' : entry.bucket.take(now);
    if (taken === 'wait' || entry.bucket.isLow(now)) this.ask(entry);
    if (taken !== 'wait') return verdictOn(entry.bucket, taken === 'admitted', now);
    return new Promise((resolve) => entry.waiting.push(resolve));
  }

  private entryOf(tenant: string, kind: RateKind): Entry {
    const key = `${kind} ${tenant}`;
    const known = this.entries.get(key);
    if (known) return known;
    const entry: Entry = { bucket: new LeasedBucket(tenant, kind), waiting: [] };
    this.entries.set(key, entry);
    return entry;
  }

  private ask(entry: Entry): void {
    this.low.add(entry);
    if (this.isAsking) return;
    this.isAsking = true;
    // Requests that arrive together ask together.
    outsideRequests(() => queueMicrotask(() => void this.askAll()));
  }

  /** One call at a time: what becomes low meanwhile is in the next. */
  private async askAll(): Promise<void> {
    while (this.low.size > 0) {
      const entries = [...this.low].slice(0, MOST_ASKS);
      for (const entry of entries) this.low.delete(entry);
      const now = this.clock.now().getTime();
      // What became low during the last call may have been filled by its answer.
      const needy = entries.filter(({ bucket, waiting }) => waiting.length > 0 || bucket.isLow(now));
      await this.askFor(needy.map((entry) => ({ entry, ask: entry.bucket.ask(entry.waiting.length) })));
    }
    this.isAsking = false;
  }

  private async askFor(asked: readonly { readonly entry: Entry; readonly ask: RateAsk }[]): Promise<void> {
    if (asked.length === 0) return;
    const leases = await this.leasesFor(asked.map(({ ask }) => ask));
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
    if (this.clock.now().getTime() < this.aloneUntil) return null;
    try {
      return await this.askIdentity(asks);
    } catch {
      this.aloneUntil = this.clock.now().getTime() + ALONE_MS;
      return null;
    }
  }

  /** Those that waited are let in or refused in their order; who came after the question waits for the next answer. */
  private settle(entry: Entry, now: number): void {
    const { waiting } = entry;
    entry.waiting = [];
    for (const [at, resolve] of waiting.entries()) {
      const taken = entry.bucket.take(now);
      if (taken === 'wait') {
        entry.waiting = waiting.slice(at);
        this.low.add(entry);
        return;
      }
      resolve(verdictOn(entry.bucket, taken === 'admitted', now));
    }
  }
}

function verdictOn(bucket: LeasedBucket, isAdmitted: boolean, now: number): Verdict {
  return { ...bucket.standing(now), retry_after_s: isAdmitted ? null : bucket.retryAfter(now) };
}
