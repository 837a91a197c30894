import type { EventType } from '@fundrail/contracts';
import type { LoggedEvent } from '@fundrail/messaging/testing';
import { differences, type Finding } from './finding.ts';

/** A row of a service's outbox. */
export interface OutboxEvent {
  readonly id: string;
  readonly type: EventType;
  readonly version: number;
  readonly tenant: string;
  readonly aggregate_id: string;
  readonly sequence: number;
  readonly data: string;
}

/** The event types of one consumer group, and the ids in its inbox. */
export interface GroupInbox {
  readonly group: string;
  readonly types: ReadonlySet<EventType>;
  readonly ids: readonly string[];
}

/** The three places that must contain the same events. */
export interface EventTrail {
  /** Of all services. */
  readonly outbox: readonly OutboxEvent[];
  /** Everything on Kafka, each partition in order. */
  readonly log: readonly LoggedEvent[];
  readonly inboxes: readonly GroupInbox[];
}

/**
 * Follows every event from the outbox through Kafka to the inboxes of the groups that subscribe to its type. Kafka may contain an
 * event more than once; every other difference is a finding.
 */
export function auditTrail({ outbox, log, inboxes }: EventTrail): Finding[] {
  const carried = firstOccurrences(log);
  return [
    ...differences(
      'event on Kafka',
      outbox.map(({ id }) => id),
      carried.map(({ event }) => event.id),
      { onlyHere: 'lost', onlyThere: 'doubled' },
    ),
    ...changedOnTheWay(outbox, log),
    ...disorderOf(carried),
    ...inboxes.flatMap((inbox) => auditInbox(outbox, inbox)),
  ];
}

/** How many records Kafka holds beyond one for each event: allowed, but reported. */
export function repeatsOf(log: readonly LoggedEvent[]): number {
  return log.length - firstOccurrences(log).length;
}

function firstOccurrences(log: readonly LoggedEvent[]): LoggedEvent[] {
  const seen = new Set<string>();
  return log.filter(({ event }) => seen.size < seen.add(event.id).size);
}

/** What was written is what Kafka contains, byte for byte. */
function changedOnTheWay(outbox: readonly OutboxEvent[], log: readonly LoggedEvent[]): Finding[] {
  const written = new Map(outbox.map((event) => [event.id, contentOf(event)]));
  const changed = log.filter(({ event }) => {
    const content = written.get(event.id);
    return content !== undefined && content !== contentOf(event);
  });
  return changed.map(({ event, topic }) => ({
    kind: 'lost',
    what: `${event.type} ${event.id} on ${topic} is not what was written`,
  }));
}

function contentOf({
  type,
  version,
  tenant,
  aggregate_id,
  sequence,
  data,
}: Omit<OutboxEvent, 'id'> | LoggedEvent['event']) {
  return JSON.stringify([type, version, tenant, aggregate_id, sequence, data]);
}

/** The first records of an aggregate's events are in one partition and count from 1 there. */
function disorderOf(carried: readonly LoggedEvent[]): Finding[] {
  const aggregates = Map.groupBy(carried, ({ topic, event }) => `${topic} ${event.aggregate_id}`);
  return [...aggregates].flatMap(([aggregate, events]) => {
    const partitions = new Set(events.map(({ partition }) => partition));
    const sequences = events.map(({ event }) => event.sequence);
    const isInOrder = sequences.every((sequence, index) => sequence === index + 1);
    if (isInOrder && partitions.size === 1) return [];
    const where = [...partitions].join(' and ');
    const what = `${aggregate} on Kafka: ${sequences.join(', ')} in partition ${where}`;
    return [{ kind: 'out_of_order', what }];
  });
}

/** A group has consumed every event of its types, and nothing else. */
export function auditInbox(outbox: readonly OutboxEvent[], { group, types, ids }: GroupInbox): Finding[] {
  const asked = outbox.filter(({ type }) => types.has(type)).map(({ id }) => id);
  const kinds = { onlyHere: 'lost', onlyThere: 'doubled' } as const;
  return differences(`event in the inbox of ${group}`, asked, ids, kinds);
}
