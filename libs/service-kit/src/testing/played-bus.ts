import type {
  BusHealth,
  EventBus,
  GroupSubscription,
  PublishOutcome,
  Subscription,
} from '@fundrail/messaging';
import type { EventEnvelope } from '@fundrail/contracts';

const HEALTHY: BusHealth = { live: true, ready: true, detail: null, downSince: null };

/** A bus for tests, which set its health and backlog. It accepts every event, and delivers the events that a test passes to `deliver`. */
export class PlayedBus implements EventBus {
  readonly published: EventEnvelope[] = [];
  /** What happened to it, in order: `subscribed`, `left`, `closed`. */
  readonly seen: string[] = [];
  waiting = 0;
  #health = HEALTHY;
  #subscription: GroupSubscription | null = null;

  /** Sets the health from now on; fields that are left out are healthy. */
  setHealth(health: Partial<BusHealth>): void {
    this.#health = { ...HEALTHY, ...health };
  }

  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    this.published.push(...events);
    return events.map(() => Promise.resolve({ published: true }));
  }

  subscribe(subscription: GroupSubscription): Promise<Subscription> {
    this.#subscription = subscription;
    this.seen.push('subscribed');
    return Promise.resolve({ stop: () => Promise.resolve(void this.seen.push('left')) });
  }

  /** Delivers to the last subscription. */
  async deliver(event: EventEnvelope): Promise<void> {
    if (!this.#subscription) throw new Error('there is no subscription');
    await this.#subscription.deliver(event);
  }

  health(): BusHealth {
    return this.#health;
  }

  unconsumed(): Promise<number> {
    return Promise.resolve(this.waiting);
  }

  close(): Promise<void> {
    this.seen.push('closed');
    return Promise.resolve();
  }
}
