import type {
  BusHealth,
  EventBus,
  GroupSubscription,
  PublishOutcome,
  Subscription,
} from '@fundrail/messaging';
import type { EventEnvelope } from '@fundrail/contracts';

const WELL: BusHealth = { live: true, ready: true, detail: null, downSince: null };

/** A bus whose health and backlog a test sets; it takes every event, and delivers those that the test hands it. */
export class PlayedBus implements EventBus {
  readonly published: EventEnvelope[] = [];
  /** What happened to it, in order: `subscribed`, `left`, `closed`. */
  readonly seen: string[] = [];
  waiting = 0;
  #health = WELL;
  #subscription: GroupSubscription | null = null;

  /** The health from now on; what is not said is well. */
  feels(health: Partial<BusHealth>): void {
    this.#health = { ...WELL, ...health };
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

  /** Delivers to whoever subscribed last. */
  async deliver(event: EventEnvelope): Promise<void> {
    if (!this.#subscription) throw new Error('nobody has subscribed');
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
