import type { EventEnvelope } from '@fundrail/contracts';

/** The outcome of publishing one event. An event that was not accepted stays in the outbox and is published again. */
export type PublishOutcome =
  { readonly published: true } | { readonly published: false; readonly error: Error };

/** A consumer group's subscription. */
export interface GroupSubscription {
  /** The consumer group: the service's name. Each group gets each event of its topics. */
  readonly group: string;
  /** The subscribed topics; see `topicOf`. */
  readonly topics: readonly string[];
  /**
   * Handles one event. Resolves once its effect is committed or the event is parked. Rejects only when the consumer is being
   * stopped; the event is then delivered again after the next start.
   */
  deliver(event: EventEnvelope): Promise<void>;
  /**
   * Parks a message that cannot be read as an event, with the fields that could be read. Rejects like `deliver`. Only a bus with
   * a wire format calls it.
   */
  refuse(message: UnreadableMessage): Promise<void>;
  /** The wall time at which the consumer's longest running transaction started; null when none runs. */
  busySince(): Date | null;
}

/** A message that is not an event: the fields that could be read. */
export interface UnreadableMessage {
  /** The event's id if it has one, else an id of the message's position, which is the same at each delivery. */
  readonly id: string;
  readonly topic: string;
  /** The aggregate whose later events wait behind it. Empty when there is no key. */
  readonly aggregate_id: string;
  /** 0 when there is none. */
  readonly sequence: number;
  /** The fields as received, for an operator who repairs the event. */
  readonly fields: Readonly<Record<string, string | null>>;
  readonly reason: string;
}

/** A running subscription. */
export interface Subscription {
  /** Accepts no more events, and resolves when the running deliveries have ended. */
  stop(): Promise<void>;
}

/** The health of the bus, for the probes of the process. */
export interface BusHealth {
  /** False: a consumer crashed for good or is stuck; only a restart of the process helps. */
  readonly live: boolean;
  /** The broker answers, and every subscribed group has joined. */
  readonly ready: boolean;
  /** What is wrong, in a few words. */
  readonly detail: string | null;
  /** Wall time at which the broker stopped answering; null while it answers. */
  readonly downSince: Date | null;
}

/**
 * How events reach other services (MSG-1 to MSG-4). At least once; in order for each topic and aggregate;
 * different aggregates concurrently. `busConformance` of `@fundrail/messaging/testing` tests the details.
 */
export interface EventBus {
  /** True where publishing waits for the consumers: then none is on its way to them. */
  readonly waitsForConsumers?: boolean;
  /**
   * Publishes events in order. Returns one outcome for each at the same index; the promises never reject. When an event is not
   * published, no later event of its aggregate in the same call is published either.
   */
  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[];
  /** Starts delivery to a group. A group has one subscription per process. */
  subscribe(subscription: GroupSubscription): Promise<Subscription>;
  /** Returns the last known state without a request to the broker. */
  health(): BusHealth;
  /**
   * The number of published events that no replica of the group has consumed yet; 0 where publishing waits for the consumers.
   * Rejects when the broker does not answer.
   */
  unconsumed(group: string): Promise<number>;
  /** Ends all subscriptions and connections. Nothing is published afterwards. */
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
