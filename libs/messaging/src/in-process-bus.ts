import type { EventEnvelope } from '@fundrail/contracts';
import type {
  BusHealth,
  EventBus,
  GroupSubscription,
  PublishOutcome,
  Subscription,
} from './event-bus.port.ts';
import { GroupLane } from './group-lane.ts';

/** What the bus has to know before the first event. */
export interface InProcessBusOptions {
  /**
   * Every service of the process that consumes (has an `EventStrategy`). An event is published only once each of them
   * has it, so publishing waits until all have subscribed: no start order loses an event.
   */
  readonly groups: readonly string[];
}

/**
 * The bus of a process that runs all services: one instance, shared by them. It keeps nothing: the outbox is the log. An
 * event counts as published when each group that wants it has committed its effect or parked it, so `kill -9` loses
 * nothing, and what a stopped group missed is published again.
 */
export class InProcessBus implements EventBus {
  readonly #lanes: Map<string, GroupLane>;

  constructor({ groups }: InProcessBusOptions) {
    this.#lanes = new Map(groups.map((group) => [group, new GroupLane(group)]));
  }

  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    const lanes = [...this.#lanes.values()];
    return events.map((event) => toOutcome(Promise.all(lanes.map((lane) => lane.take(event)))));
  }

  /** Throws for a group that the constructor was not told of: events may have been published without it. */
  async subscribe(subscription: GroupSubscription): Promise<Subscription> {
    const lane = this.#freshLane(subscription.group);
    lane.open(subscription);
    return Promise.resolve({ stop: () => lane.stop() });
  }

  /** Ready once every group has subscribed: before that, no event gets through. */
  health(): BusHealth {
    const missing = [...this.#lanes.values()].filter((lane) => !lane.isOpen).map((lane) => lane.group);
    const detail = missing.length > 0 ? `not subscribed: ${missing.join(', ')}` : null;
    return { live: true, ready: detail === null, detail, downSince: null };
  }

  /** None: an event counts as published only when every group has it. */
  unconsumed(): Promise<number> {
    return Promise.resolve(0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  #freshLane(group: string): GroupLane {
    const lane = this.#lanes.get(group);
    if (!lane) throw new Error(`the in-process bus was not told of the group ${group}`);
    if (!lane.isStopped) return lane;
    const next = new GroupLane(group);
    this.#lanes.set(group, next);
    return next;
  }
}

function toOutcome(delivered: Promise<unknown>): Promise<PublishOutcome> {
  return delivered.then(
    () => ({ published: true }),
    (error: unknown) => ({
      published: false,
      error: error instanceof Error ? error : new Error(String(error)),
    }),
  );
}
