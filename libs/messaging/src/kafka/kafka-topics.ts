import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { TOPICS, type Topic } from '@fundrail/contracts';
import type { ITopicConfig, ITopicMetadata } from 'kafkajs';
import { loggedError } from '../error-text.ts';
import { AdminConnection } from './admin-connection.ts';
import { wireTopic, type KafkaConnection } from './kafka-connection.ts';
import { OnceAMinute } from './once-a-minute.ts';

interface CreateTopicsOptions {
  /** The number of copies; 1 in a sandbox, else 3. */
  readonly replicationFactor: number;
  /** How long to wait for the broker, in wall milliseconds; 120 000. */
  readonly limitMs?: number;
}

const DEFAULT_LIMIT_MS = 120_000;
const ASK_AGAIN_MS = 200;
/** A broker that starts, or begins to serve a new topic, is not logged. On a busy machine either takes seconds. */
const PATIENCE_MS = 10_000;

/**
 * Creates the missing topics of the catalogue. Waits for a broker that does not answer, and rejects when the limit has passed.
 * An existing topic is not changed; a number of partitions other than the catalogue's is logged. Topics never grow automatically:
 * that would move keys to other partitions, and events of an aggregate before and after the change could overtake each other.
 * To grow one: stop the services that publish to it once their outbox is empty, let its groups consume it to the end, and use
 * `kafka-topics --alter`.
 */
export async function createTopics(
  connection: KafkaConnection,
  { replicationFactor, limitMs = DEFAULT_LIMIT_MS }: CreateTopicsOptions,
): Promise<void> {
  await withBroker(connection, limitMs, async (admin) => {
    const existing = await topicsOnBroker(connection, admin);
    const missing = TOPICS.filter(({ name }) => !existing.has(wireTopic(connection, name)));
    const topics = missing.map((topic) => toTopicConfig(connection, topic, replicationFactor));
    if (topics.length > 0)
      await admin.ask((broker) => broker.createTopics({ waitForLeaders: false, topics }));
    logOtherSizes(connection, existing);
  });
  // A broker lists a new topic a moment before it serves it, and refuses events published before that.
  await withBroker(connection, limitMs, (admin) =>
    admin.ask(async (broker) => {
      for (const { name } of TOPICS) await broker.fetchTopicOffsets(wireTopic(connection, name));
    }),
  );
}

/** The topics of the catalogue that the broker does not have, as named on the wire. Rejects when it does not answer. */
export async function missingTopics(connection: KafkaConnection): Promise<string[]> {
  const admin = new AdminConnection(connection);
  try {
    const existing = await topicsOnBroker(connection, admin);
    return TOPICS.map(({ name }) => wireTopic(connection, name)).filter((name) => !existing.has(name));
  } finally {
    await admin.close();
  }
}

function toTopicConfig(connection: KafkaConnection, topic: Topic, replicationFactor: number): ITopicConfig {
  return {
    topic: wireTopic(connection, topic.name),
    numPartitions: topic.partitions,
    replicationFactor,
    configEntries: [
      { name: 'retention.ms', value: String(topic.retentionMs) },
      { name: 'cleanup.policy', value: 'delete' },
      // With fewer in-sync copies than this a write is refused, so acknowledged events survive the loss of a broker.
      { name: 'min.insync.replicas', value: String(Math.max(1, replicationFactor - 1)) },
    ],
  };
}

async function topicsOnBroker(
  connection: KafkaConnection,
  admin: AdminConnection,
): Promise<Map<string, ITopicMetadata>> {
  const wanted = new Set(TOPICS.map(({ name }) => wireTopic(connection, name)));
  const names = (await admin.ask((broker) => broker.listTopics())).filter((name) => wanted.has(name));
  if (names.length === 0) return new Map();
  const { topics } = await admin.ask((broker) => broker.fetchTopicMetadata({ topics: names }));
  return new Map(topics.map((topic) => [topic.name, topic]));
}

function logOtherSizes(connection: KafkaConnection, existing: ReadonlyMap<string, ITopicMetadata>): void {
  const logger = new Logger(createTopics.name);
  for (const { name, partitions } of TOPICS) {
    const topic = wireTopic(connection, name);
    const found = existing.get(topic)?.partitions.length ?? partitions;
    if (found !== partitions)
      logger.warn({
        msg: 'a topic has another number of partitions than the catalogue; it is not changed',
        topic,
        partitions: found,
        catalogue: partitions,
      });
  }
}

async function withBroker(
  connection: KafkaConnection,
  limitMs: number,
  work: (admin: AdminConnection) => Promise<void>,
): Promise<void> {
  const admin = new AdminConnection(connection);
  const logged = new OnceAMinute();
  const began = Date.now();
  try {
    for (;;) {
      try {
        await work(admin);
        return;
      } catch (error) {
        const waited = Date.now() - began;
        if (waited >= limitMs) throw error;
        const err = loggedError(error);
        if (waited > PATIENCE_MS && logged.isDue(err.message))
          new Logger(createTopics.name).warn({ msg: 'waiting for the topics', err });
        await pause(ASK_AGAIN_MS);
      }
    }
  } finally {
    await admin.close();
  }
}
