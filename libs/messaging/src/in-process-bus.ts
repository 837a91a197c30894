import type { EventEnvelope } from '@fundrail/contracts';
import type {
  BusHealth,
  EventBus,
  GroupSubscription,
  PublishOutcome,
  Subscription,
} from './event-bus.port.ts';
import { GroupLane } from './group-lane.ts';

/** Options of the bus. */
interface InProcessBusOptions {
  /**
   * Every service of the process that consumes (has an `EventStrategy`). An event counts as published only when each of
   * them has it, so publishing waits until all have subscribed, and no order of starts loses an event.
   */
  readonly groups: readonly string[];
}

/**
 * The bus of a process that runs all services: one shared instance. It stores nothing: the outbox is the log. An event counts
 * as published when each subscribed group has committed its effect or parked it. So `kill -9` loses nothing, and events that a
 * stopped group missed are published again.
 */
export class InProcessBus implements EventBus {
  readonly waitsForConsumers = true;
  readonly #lanes: Map<string, GroupLane>;

  constructor({ groups }: InProcessBusOptions) {
    this.#lanes = new Map(groups.map((group) => [group, new GroupLane(group)]));
  }

  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    const lanes = [...this.#lanes.values()];
    return events.map((event) => toOutcome(Promise.all(lanes.map((lane) => lane.take(event)))));
  }

  /** Throws for a group that is not in the options: events may have been published without it. */
  async subscribe(subscription: GroupSubscription): Promise<Subscription> {
    const lane = this.#freshLane(subscription.group);
    lane.open(subscription);
    return Promise.resolve({ stop: () => lane.stop() });
  }

  /** Ready once every group has subscribed; before that, no event is delivered. */
  health(): BusHealth {
    const missing = [...this.#lanes.values()].filter((lane) => !lane.isOpen).map((lane) => lane.group);
    const detail = missing.length > 0 ? `not subscribed: ${missing.join(', ')}` : null;
    return { live: true, ready: detail === null, detail, downSince: null };
  }

  /** Always 0: an event counts as published only when every group has it. */
  unconsumed(): Promise<number> {
    return Promise.resolve(0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  #freshLane(group: string): GroupLane {
    const lane = this.#lanes.get(group);
    if (!lane) throw new Error(`the options of the in-process bus do not contain the group ${group}`);
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
