import { TOPICS, type EventEnvelope } from '@fundrail/contracts';
import type { Admin, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { kafkaClient, wireTopic, type KafkaConnection } from '../kafka/kafka-connection.ts';
import { readMessage } from '../kafka/kafka-message.ts';

/** An event and its position on Kafka. */
export interface LoggedEvent {
  /** Without the installation's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly event: EventEnvelope;
}

/** Retries of one request in kafkajs: an audit may run while a broker still starts. */
const RETRIES = 20;

/** A partition with records, and the offset at which reading ends. */
interface Stretch {
  /** The topic's name on the wire. */
  readonly wire: string;
  readonly topic: string;
  readonly partition: number;
  readonly end: bigint;
}

/**
 * All events on the catalogue's topics, from offset 0 to their current end; each partition in order. For audits: it joins no
 * group of the product and commits nothing. Rejects when a record cannot be read.
 */
export async function readAllEvents(connection: KafkaConnection): Promise<LoggedEvent[]> {
  const kafka = kafkaClient(connection, RETRIES);
  const admin = kafka.admin();
  const groupId = wireTopic(connection, `audit-${randomUUID()}`);
  const consumer = kafka.consumer({ groupId });
  await admin.connect();
  try {
    const stretches = await findStretches(admin, connection);
    if (stretches.length === 0) return [];
    await consumer.connect();
    return await readStretches(consumer, stretches);
  } finally {
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => undefined);
    await admin.disconnect();
  }
}

async function findStretches(admin: Admin, connection: KafkaConnection): Promise<Stretch[]> {
  const found = TOPICS.map(async ({ name }) => {
    const wire = wireTopic(connection, name);
    const offsets = await admin.fetchTopicOffsets(wire);
    return offsets.map(({ partition, low, high }) => ({
      wire,
      topic: name,
      partition,
      low,
      end: BigInt(high),
    }));
  });
  return (await Promise.all(found)).flat().filter(({ low, end }) => BigInt(low) < end);
}

async function readStretches(consumer: Consumer, stretches: readonly Stretch[]): Promise<LoggedEvent[]> {
  const unread = new Map(stretches.map((stretch) => [`${stretch.wire} ${stretch.partition}`, stretch]));
  const events: LoggedEvent[] = [];
  const { promise: allRead, resolve, reject } = Promise.withResolvers<void>();
  const take = ({ batch: { topic: wire, partition, messages } }: EachBatchPayload) => {
    const stretch = unread.get(`${wire} ${partition}`);
    if (!stretch) return;
    const wanted = messages.filter(({ offset }) => BigInt(offset) < stretch.end);
    events.push(...wanted.map((message) => loggedEvent(stretch, message)));
    const last = messages.at(-1)?.offset ?? '-1';
    if (BigInt(last) + 1n >= stretch.end) unread.delete(`${wire} ${partition}`);
    if (unread.size === 0) resolve();
  };
  // kafkajs would retry an unreadable batch without end.
  const takeOrEnd = (payload: EachBatchPayload) => Promise.try(take, payload).catch(reject);
  consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  await consumer.subscribe({ topics: [...new Set(stretches.map(({ wire }) => wire))], fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatch: takeOrEnd });
  await allRead;
  return events;
}

function loggedEvent({ topic, partition }: Stretch, message: KafkaMessage): LoggedEvent {
  const { event, unreadable } = readMessage({ topic, partition }, message);
  if (!event) throw new Error(`${topic}/${partition}/${message.offset} cannot be read: ${unreadable.reason}`);
  return { topic, partition, event };
}
