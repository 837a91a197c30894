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
  /**
   * Takes a message from which no event can be read. Resolves once it is parked with whatever is there; rejects like
   * `deliver`. Only a bus with a wire asks for it.
   */
  refuse(message: UnreadableMessage): Promise<void>;
  /** Since when the longest running transaction of the consumer runs, in wall time; null when none does. */
  busySince(): Date | null;
}

/** A message of the wire that is no event: what could be read of it. */
export interface UnreadableMessage {
  /** The event's id when there is one, else a name of the message's place that is the same at each delivery. */
  readonly id: string;
  readonly topic: string;
  /** What orders it: the later events of this aggregate wait behind it. Empty when there is no key. */
  readonly aggregate_id: string;
  /** 0 when there is none. */
  readonly sequence: number;
  /** The fields as they came, for whoever repairs the event. */
  readonly fields: Readonly<Record<string, string | null>>;
  readonly reason: string;
}

/** A running subscription. */
export interface Subscription {
  /** Takes no more events, and resolves when the deliveries that run have ended. */
  stop(): Promise<void>;
}

/** How the bus is, for the probes of whoever runs the process. */
export interface BusHealth {
  /** False: a consumer crashed for good or is stuck; only a restart of the process helps. */
  readonly live: boolean;
  /** The broker answers, and every subscribed group has joined. */
  readonly ready: boolean;
  /** What is wrong, in a few words. */
  readonly detail: string | null;
  /** Wall time since when the broker does not answer; null while it does. */
  readonly downSince: Date | null;
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
  /** Answers at once, from what the bus knows already. */
  health(): BusHealth;
  /**
   * How many published events a group has not consumed yet, over all replicas; 0 where publishing waits for the
   * consumers. Rejects when the broker does not answer.
   */
  unconsumed(group: string): Promise<number>;
  /** Ends what is still subscribed, and the bus's connections. Nothing is published afterwards. */
  close(): Promise<void>;
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
