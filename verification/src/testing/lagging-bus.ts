import type { EventEnvelope } from '@fundrail/contracts';
import { InProcessBus, orderingKey } from '@fundrail/messaging';
import type {
  BusHealth,
  EventBus,
  GroupSubscription,
  PublishOutcome,
  Subscription,
} from '@fundrail/messaging';

/** Business milliseconds that an event takes to reach a group. */
type Lag = (event: EventEnvelope, group: string) => number;

interface Waiting {
  readonly event: EventEnvelope;
  /** Business time in milliseconds. */
  readonly at: number;
}

/**
 * A bus that accepts events immediately, as Kafka does, and delivers them to each group later: after a lag, or once the group is no
 * longer held. Each aggregate's events keep their order. Nothing arrives by itself: the test passes the current time.
 */
export class LaggingBus implements EventBus {
  lag: Lag = () => 0;
  private readonly held = new Set<string>();
  private readonly groups: Map<string, Waiting[]>;
  private readonly inner: Map<string, InProcessBus>;
  private underWay = 0;
  private now = 0;

  constructor(groups: readonly string[]) {
    this.groups = new Map(groups.map((group) => [group, []]));
    this.inner = new Map(groups.map((group) => [group, new InProcessBus({ groups: [group] })]));
  }

  /** Stops deliveries to the group. */
  hold(group: string): void {
    this.held.add(group);
  }

  letThrough(group: string): void {
    this.held.delete(group);
    this.deliver();
  }

  /** Delivers what has arrived by that business time. */
  arriveUntil(now: Date): void {
    this.now = now.getTime();
    this.deliver();
  }

  /** How many events have arrived and are not handled yet. */
  get arriving(): number {
    return this.underWay;
  }

  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    for (const event of events)
      for (const [group, waiting] of this.groups) {
        const before = waiting.findLast((other) => orderingKey(other.event) === orderingKey(event));
        const at = Math.max(this.now + this.lag(event, group), before?.at ?? 0);
        waiting.push({ event, at });
      }
    this.deliver();
    return events.map(() => Promise.resolve({ published: true }));
  }

  subscribe(subscription: GroupSubscription): Promise<Subscription> {
    const bus = this.inner.get(subscription.group);
    if (!bus) throw new Error(`the bus does not know the group ${subscription.group}`);
    return bus.subscribe(subscription);
  }

  health(): BusHealth {
    return { live: true, ready: true, detail: null, downSince: null };
  }

  unconsumed(group: string): Promise<number> {
    return Promise.resolve(this.groups.get(group)?.length ?? 0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.inner.values()].map((bus) => bus.close()));
  }

  private deliver(): void {
    for (const [group, waiting] of this.groups) {
      if (this.held.has(group)) continue;
      const arrived = waiting.filter(({ at }) => at <= this.now);
      this.groups.set(
        group,
        waiting.filter(({ at }) => at > this.now),
      );
      const outcomes = this.inner.get(group)?.publish(arrived.map(({ event }) => event)) ?? [];
      for (const outcome of outcomes) void this.count(outcome);
    }
  }

  private async count(outcome: Promise<PublishOutcome>): Promise<void> {
    this.underWay += 1;
    await outcome;
    this.underWay -= 1;
  }
}
