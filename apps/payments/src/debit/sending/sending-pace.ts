import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { PaymentsConfig } from '../../config.ts';
import type { ProviderName } from '../../payment/payment.entity.ts';
import { pausedFor, pauseProvider, reservePlaces } from './pace.repository.ts';

/** So much of a provider's time is reserved at once: short, so that permits are taken right before their calls. */
const BATCH_MS = 250;
/** Calls of one reservation at most: one group of permits and intents. */
const MOST_CALLS = 64;
/** Nobody reserves further ahead: what waits so long is better left to whoever comes first then. */
const MOST_AHEAD_MS = 1_000;

/** A place may be used so late, and not later. */
const MOST_LATE_MS = 100;
/** Who has lost its place waits so long for another one at most. */
const LONGEST_WAIT_MS = 5_000;

/** Places that were reserved together and are not used yet: the time of the next, and how many. */
interface Line {
  readonly provider: ProviderName;
  place: number;
  left: number;
}

/** Places of calls that were reserved together: each is awaited in its turn. */
export interface Places {
  /** Wall milliseconds until the first. */
  readonly waitMs: number;
  /** Resolves when the next call may be made: false when the provider, or this process's line to it, has taken no more since. */
  next(): Promise<boolean>;
}

/**
 * How fast debits are sent to each provider (decision 0013). Places are reserved in the database, for all replicas; within this
 * process no call follows another before its time, however late its place has come.
 */
@Injectable()
export class SendingPace {
  private readonly earliest = new Map<ProviderName, number>();
  private readonly closedUntil = new Map<ProviderName, number>();

  constructor(
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** How many calls are reserved at once. */
  batchOf(provider: ProviderName): number {
    return Math.max(1, Math.min(MOST_CALLS, Math.floor(BATCH_MS / this.spacingMs(provider))));
  }

  /** Whether it makes sense to look for debits now. */
  async isOpen(provider: ProviderName): Promise<boolean> {
    return !this.isClosedHere(provider) && (await pausedFor(this.database, provider)) <= MOST_AHEAD_MS;
  }

  /** Places for so many calls, or null: others have reserved all that is near. */
  async reserve(provider: ProviderName, calls: number): Promise<Places | null> {
    const spacingMs = this.spacingMs(provider);
    const reservation = { calls, spacingMs, mostAheadMs: MOST_AHEAD_MS };
    const waitMs = await reservePlaces(this.database, provider, reservation);
    if (waitMs === null) return null;
    const line: Line = { provider, place: performance.now() + waitMs, left: calls };
    let last: Promise<unknown> = Promise.resolve();
    return {
      waitMs,
      next: () => {
        const mine = last.then(() => this.nextIn(line));
        last = mine.catch(() => undefined);
        return mine;
      },
    };
  }

  /** Waits for the place of one call that is made by itself; false when none is near, or the provider takes no call. */
  async turn(provider: ProviderName): Promise<boolean> {
    if (this.isClosedHere(provider)) return false;
    const places = await this.reserve(provider, 1);
    return places !== null && (await places.next());
  }

  /** The provider has said that it takes no call for so long: no replica sends one. */
  async close(provider: ProviderName, ms: number): Promise<void> {
    this.closeHere(provider, ms);
    await pauseProvider(this.database, provider, ms);
  }

  /** This process makes no call for so long, and leaves what is due and the places to other replicas. */
  closeHere(provider: ProviderName, ms: number): void {
    this.closedUntil.set(provider, Math.max(this.closedUntil.get(provider) ?? 0, performance.now() + ms));
  }

  private isClosedHere(provider: ProviderName): boolean {
    return performance.now() < (this.closedUntil.get(provider) ?? 0);
  }

  private async nextIn(line: Line): Promise<boolean> {
    const { provider } = line;
    const spacingMs = this.spacingMs(provider);
    // What comes too late has lost its place: used now, it would come on top of the calls of others.
    if (performance.now() - line.place > MOST_LATE_MS) {
      const reservation = { calls: line.left, spacingMs, mostAheadMs: LONGEST_WAIT_MS };
      const waitMs = await reservePlaces(this.database, provider, reservation);
      if (waitMs === null) return false;
      line.place = performance.now() + waitMs;
    }
    const at = Math.max(line.place, this.earliest.get(provider) ?? 0);
    line.place = at + spacingMs;
    line.left -= 1;
    this.earliest.set(provider, line.place);
    const early = at - performance.now();
    if (early > 1) await pause(early);
    return !this.isClosedHere(provider);
  }

  private spacingMs(provider: ProviderName): number {
    return 1000 / this.config.debitsPerSecond[provider];
  }
}
