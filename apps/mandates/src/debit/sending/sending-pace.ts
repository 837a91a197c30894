import type { ProviderName } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { MandatesConfig } from '../../config.ts';
import { pausedFor, pauseProvider, reservePlaces } from './pace.repository.ts';

/** How much of a provider's time is reserved together. It is short, so that intents are committed right before their calls. */
const BATCH_MS = 250;
/** The calls of one reservation. Three are under way at once, below an operation's 64 (decision 0024): one more would pause this process. */
const MOST_CALLS = 20;
/** No place is reserved further ahead: after such a wait another replica may be free earlier. */
const MOST_AHEAD_MS = 1_000;

/** The longest delay after which a place may still be used. */
const MOST_LATE_MS = 100;
/** The longest wait for another place after one was lost. */
const LONGEST_WAIT_MS = 5_000;

/** Reserved places that are not used yet: the time of the next one, and how many are left. */
interface Line {
  readonly provider: ProviderName;
  place: number;
  left: number;
}

/** Places of calls that were reserved together, used one after another. */
export interface Places {
  /** Wall milliseconds until the first. */
  readonly waitMs: number;
  /** Resolves when the next call may be made; false when the provider was closed meanwhile, for all or for this process. */
  next(): Promise<boolean>;
}

/**
 * The pace of debits to each provider (decision 0013). Places are reserved in the database for all replicas. Within this process, calls
 * also keep their distance when a place comes late.
 */
@Injectable()
export class SendingPace {
  private readonly earliest = new Map<ProviderName, number>();
  /** Wall milliseconds: the provider requested the pause, and its clock does not jump. */
  private readonly pausedUntil = new Map<ProviderName, number>();
  /** Business milliseconds until the end of the pause of a failing operation (decision 0024). */
  private readonly heldUntil = new Map<ProviderName, number>();

  constructor(
    private readonly database: Database,
    private readonly config: MandatesConfig,
  ) {}

  /** How many calls are reserved together. */
  batchOf(provider: ProviderName): number {
    return Math.max(1, Math.min(MOST_CALLS, Math.floor(BATCH_MS / this.spacingMs(provider))));
  }

  /** Whether debits can be sent now. */
  async isOpen(provider: ProviderName): Promise<boolean> {
    return !this.isClosedHere(provider) && (await pausedFor(this.database, provider)) <= MOST_AHEAD_MS;
  }

  /** Places for `calls` calls, or null when all places within `mostAheadMs` are reserved. */
  async reserve(provider: ProviderName, calls: number, mostAheadMs = MOST_AHEAD_MS): Promise<Places | null> {
    const spacingMs = this.spacingMs(provider);
    const reservation = { calls, spacingMs, mostAheadMs };
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

  /**
   * Waits for the place of a single call; false when none is near, or the provider is closed. It may reach one place further ahead than
   * batches do, so that neither keeps the other away.
   */
  async turn(provider: ProviderName): Promise<boolean> {
    if (this.isClosedHere(provider)) return false;
    const behindBatch = MOST_AHEAD_MS + (this.batchOf(provider) + 1) * this.spacingMs(provider);
    const places = await this.reserve(provider, 1, Math.min(behindBatch, LONGEST_WAIT_MS));
    return places !== null && (await places.next());
  }

  /** The provider takes no calls for `ms` milliseconds: no replica sends one. */
  async close(provider: ProviderName, ms: number): Promise<void> {
    extend(this.pausedUntil, provider, performance.now() + ms);
    await pauseProvider(this.database, provider, ms);
  }

  /**
   * This process makes no call for `ms` milliseconds of business time. Other replicas take the due work and the places. When the clock
   * jumps, as in the sandbox, the pause ends too, as that of the circuit does.
   */
  closeHere(provider: ProviderName, ms: number): void {
    extend(this.heldUntil, provider, this.database.lastNow().getTime() + ms);
  }

  private isClosedHere(provider: ProviderName): boolean {
    return (
      performance.now() < (this.pausedUntil.get(provider) ?? 0) ||
      this.database.lastNow().getTime() < (this.heldUntil.get(provider) ?? 0)
    );
  }

  private async nextIn(line: Line): Promise<boolean> {
    const { provider } = line;
    const spacingMs = this.spacingMs(provider);
    // A late call has lost its place: used now, it would be added to the calls of other replicas.
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

/** Keeps the longer of two pauses. */
function extend(pauses: Map<ProviderName, number>, provider: ProviderName, until: number): void {
  pauses.set(provider, Math.max(pauses.get(provider) ?? 0, until));
}
