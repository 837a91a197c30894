import { sql, type Queryable } from '@fundrail/persistence';
import type { EventBus, OutboxLag, OutboxRelay } from '@fundrail/messaging';
import { setTimeout as pause } from 'node:timers/promises';

const PING = sql('health.ping', 'SELECT 1 AS one');
// Probes give up after a second or two, but a pool without a server waits longer for its connection.
const PING_LIMIT_MS = 1_000;

/** The sources that decide the health. `bus` and `relay` are null when events only wait in the outbox. */
interface HealthSources {
  readonly database: Queryable;
  readonly bus: Pick<EventBus, 'health'> | null;
  readonly relay: Pick<OutboxRelay, 'lag'> | null;
  /** Wall time in milliseconds; the machine's by default. */
  readonly now?: () => number;
  /** `READY_LAG_LIMIT_MS`. */
  readonly lagLimitMs: number;
}

/** An answer of `/health/…`: 200 when `isOk`, otherwise 503. */
export interface HealthAnswer {
  readonly isOk: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * OPS-10. Live: a restart would not help. Ready: requests may be sent. A bus that is down for a moment does not make a service
 * unready, because the outbox keeps its events (decision 0009).
 */
export class Health {
  /** `started` once consumers, relay and due worker run; `stopping` from the first signal on. */
  phase: 'starting' | 'started' | 'stopping' = 'starting';
  private hasJoined = false;
  private oldestEvent: number | null = null;
  private relayMovedAt: number | null = null;

  constructor(private readonly sources: HealthSources) {}

  /** Not live only when a consumer has crashed for good or is stuck. */
  live(): HealthAnswer {
    const bus = this.sources.bus?.health();
    if (bus?.live === false) return { isOk: false, body: { status: 'unavailable', event_bus: bus.detail } };
    return { isOk: true, body: { status: 'ok' } };
  }

  async ready(): Promise<HealthAnswer> {
    const hasDatabase = await this.answersPing();
    const relay = hasDatabase ? await this.relayLag() : null;
    const bus = this.busState();
    const isBehind = relay !== null && this.isStuck(relay);
    const isOk = this.phase === 'started' && this.hasJoined && hasDatabase && !this.isBusLost() && !isBehind;
    const body = {
      status: isOk ? 'ok' : 'unavailable',
      database: hasDatabase ? 'ok' : 'down',
      event_bus: bus,
      relay,
    };
    return { isOk, body };
  }

  /** `none`: no bus. `joining`: connected, but not yet a member of every group. Records the first join for `ready`. */
  private busState(): 'ok' | 'joining' | 'down' | 'none' {
    const bus = this.sources.bus?.health();
    if (!bus || bus.ready) this.hasJoined = true;
    if (!bus) return 'none';
    if (bus.downSince !== null) return 'down';
    return bus.ready ? 'ok' : 'joining';
  }

  private isBusLost(): boolean {
    const since = this.sources.bus?.health().downSince;
    return since != null && Date.now() - since.getTime() > this.sources.lagLimitMs;
  }

  /**
   * Whether events wait too long and the oldest one has not changed for that time: a relay that works through a million events is late,
   * but not stuck. Progress is measured between two calls; a relay without measured progress counts as stuck.
   */
  private isStuck({ oldest_id, oldest_ms }: OutboxLag): boolean {
    const limit = this.sources.lagLimitMs;
    const now = this.sources.now?.() ?? Date.now();
    const hasMoved = this.oldestEvent !== null && oldest_id !== this.oldestEvent;
    this.oldestEvent = oldest_id;
    if (hasMoved) this.relayMovedAt = now;
    const movesOn = this.relayMovedAt !== null && now - this.relayMovedAt <= limit;
    return oldest_ms > limit && !movesOn;
  }

  private answersPing(): Promise<boolean> {
    const answer = this.sources.database.query(PING).then(
      () => true,
      () => false,
    );
    return Promise.race([answer, pause(PING_LIMIT_MS, false, { ref: false })]);
  }

  private async relayLag(): Promise<OutboxLag | null> {
    return (await this.sources.relay?.lag().catch(() => null)) ?? null;
  }
}
