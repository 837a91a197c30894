import type { EventEnvelope } from '@fundrail/contracts';

/** What became of one published event. One that was not taken stays in the outbox and is published again. */
export type PublishOutcome =
  { readonly published: true } | { readonly published: false; readonly error: Error };

/** What a consumer group asks of the bus. */
export interface GroupSubscription {
  /** The consumer group: the service's name. Each group gets each event of its topics. */
  readonly group: string;
  /** The topics wanted; see `topicOf`. */
  readonly topics: readonly string[];
  /**
   * Takes one event. Resolves once its effect is committed or the event is parked, so the bus may count it as done.
   * Rejects only when the consumer is being stopped; the event is then delivered again after the next start.
   */
  deliver(event: EventEnvelope): Promise<void>;
}

/** A running subscription. */
export interface Subscription {
  /** Takes no more events, and resolves when the deliveries that run have ended. */
  stop(): Promise<void>;
}

/**
 * How events reach other services (architecture, rules 2 and 6). At least once; in order for each topic and aggregate;
 * different aggregates concurrently. `busConformance` of `@fundrail/messaging/testing` says the rest as tests.
 */
export interface EventBus {
  /**
   * Takes events in their order and answers one outcome for each, at the same index; the promises never reject. When an
   * event is not published, no later one of its aggregate in the same call is either.
   */
  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[];
  /** Begins to deliver to a group. One subscription a group and process. */
  subscribe(subscription: GroupSubscription): Promise<Subscription>;
}

/** The topic of an event type: the word before the first dot (`payment.failed` → `payment`). */
export function topicOf(type: string): string {
  const dot = type.indexOf('.');
  return dot < 0 ? type : type.slice(0, dot);
}

/** Events with the same key keep their order. Payments and mandates both count from 1, so the topic belongs to it. */
export function orderingKey(event: Pick<EventEnvelope, 'type' | 'aggregate_id'>): string {
  return `${topicOf(event.type)}:${event.aggregate_id}`;
}
