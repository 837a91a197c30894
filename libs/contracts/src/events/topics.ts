import { EVENT_TYPES, type EventType } from './catalogue.ts';

/** A Kafka topic: one for each kind of aggregate, with every event type of that kind in it. */
export interface Topic {
  /** The kind: the word before the first dot of its types. On the wire the installation's prefix comes before it. */
  readonly name: string;
  readonly partitions: number;
  /** How long the broker keeps an event, in milliseconds. */
  readonly retentionMs: number;
  readonly types: readonly EventType[];
}

/**
 * The most replicas of one service that can share a topic's work. Within a partition aggregates run concurrently, so it
 * does not limit throughput. Chosen generously, because it cannot change: another number would move keys to other partitions,
 * and the events of an aggregate could overtake each other.
 */
const PARTITIONS = 12;

/** Half of the 14 days for which an inbox stores what it handled, so even a redelivery of the whole topic is handled once. */
const RETENTION_MS = 7 * 24 * 60 * 60_000;

/** Every topic, in the order of the catalogue. */
export const TOPICS: readonly Topic[] = [
  ...Map.groupBy(EVENT_TYPES, (type) => type.slice(0, type.indexOf('.'))),
].map(([name, types]) => ({ name, partitions: PARTITIONS, retentionMs: RETENTION_MS, types }));
