import { Logger } from '@nestjs/common';
import { TOPICS } from '@fundrail/contracts';
import { kafkaPrefix, testBrokers } from '@fundrail/testing';
import type { Admin, Message } from 'kafkajs';
import { KafkaBus, type KafkaBusOptions } from '../kafka-bus.ts';
import { kafkaClient, wireGroup, wireTopic, type KafkaConnection } from '../kafka/kafka-connection.ts';
import { eventually, Stage, type StageGroup } from './bus-stage.ts';
import { KafkaProxy } from './kafka-proxy.ts';

/** The topic of the events of these tests. */
export const NOTICES = 'notification_webhook';

/** The minimum that a broker allows, so that a lost member is noticed soon. */
const SESSION_TIMEOUT_MS = 6_000;

/** A stage with its own topics, whose groups have their own buses. */
export class KafkaStage {
  readonly #closing: (() => Promise<void>)[] = [];
  readonly #proxies: KafkaProxy[] = [];

  private constructor(
    readonly stage: Stage,
    readonly connection: KafkaConnection,
  ) {}

  static async open(brokers: readonly string[] = testBrokers()): Promise<KafkaStage> {
    Logger.overrideLogger(false);
    const connection = {
      brokers,
      clientId: 'test',
      prefix: kafkaPrefix(),
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
      maxWaitTimeMs: 100,
    };
    await createNotices(connection);
    return new KafkaStage(await Stage.open(), connection);
  }

  /** A bus to the broker, or to a proxy before it. */
  bus(options: KafkaBusOptions = {}, proxy?: KafkaProxy): KafkaBus {
    const { brokers } = proxy ?? this.connection;
    const bus = new KafkaBus({ ...this.connection, brokers }, { watchEveryMs: 200, ...options });
    this.#closing.push(() => bus.close());
    return bus;
  }

  async proxy(): Promise<KafkaProxy> {
    const proxy = await KafkaProxy.start(this.connection);
    this.#proxies.push(proxy);
    this.#closing.push(() => proxy.close());
    return proxy;
  }

  /** Starts the group on the bus, and resolves when it has joined. */
  async join(group: StageGroup, bus: KafkaBus): Promise<void> {
    await group.start(bus);
    await eventually(() => bus.health().ready, 'the member to join');
  }

  admin<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    return askAdmin(this.connection, question);
  }

  /** Writes messages to the topic without the bus. */
  async produce(messages: Message[]): Promise<void> {
    const topic = wireTopic(this.connection, NOTICES);
    await withClient(kafkaClient(this.connection, 5).producer(), (producer) =>
      producer.send({ topic, messages }),
    );
  }

  /** Makes a stopped group start at the first event again. */
  forgetOffsets(group: StageGroup): Promise<void> {
    return this.#commit(group, ({ low }) => Number(low));
  }

  /** Commits, for a stopped group, offsets this far beyond the end of the topic's partitions. */
  commitBeyondEnd(group: StageGroup, by: number): Promise<void> {
    return this.#commit(group, ({ high }) => Number(high) + by);
  }

  /** As a member of the group: the admin client of kafkajs becomes one too, and waits five seconds for its first fetch. */
  async #commit(group: StageGroup, offsetOf: (ends: Record<'low' | 'high', string>) => number) {
    const topic = wireTopic(this.connection, NOTICES);
    const ends = await this.admin((admin) => admin.fetchTopicOffsets(topic));
    const groupId = wireGroup(this.connection, group.name);
    const consumer = kafkaClient(this.connection, 5).consumer({ groupId, maxWaitTimeInMs: 100 });
    const joined = Promise.withResolvers<unknown>();
    consumer.on(consumer.events.GROUP_JOIN, joined.resolve);
    await withClient(consumer, async () => {
      await consumer.subscribe({ topics: [topic] });
      await consumer.run({ autoCommit: false, eachBatch: () => Promise.resolve() });
      await joined.promise;
      const offsets = ends.map((end) => ({
        topic,
        partition: end.partition,
        offset: String(offsetOf(end)),
      }));
      await consumer.commitOffsets(offsets);
    });
  }

  /** Ends what a test has created. Restores the proxies first: a member that is cut off while it joins would outlive the test. */
  async clear(): Promise<void> {
    for (const proxy of this.#proxies.splice(0)) proxy.restore();
    await this.stage.stopGroups();
    for (const close of this.#closing.splice(0).reverse()) await close();
  }

  async close(): Promise<void> {
    await this.clear();
    await this.stage.close();
    Logger.overrideLogger(['error', 'warn']);
  }
}

/** Creates the topic of these tests. All of the catalogue have a hundred partitions, of which each costs the broker some files. */
export async function createNotices(connection: KafkaConnection): Promise<void> {
  const topic = wireTopic(connection, NOTICES);
  const numPartitions = TOPICS.find(({ name }) => name === NOTICES)?.partitions ?? 0;
  await askAdmin(connection, async (admin) => {
    await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: 1 }] });
    // A broker lists a new topic a moment before it serves it.
    await eventually(() => admin.fetchTopicOffsets(topic), 'the topic');
  });
}

function askAdmin<T>(connection: KafkaConnection, question: (admin: Admin) => Promise<T>): Promise<T> {
  return withClient(kafkaClient(connection, 5).admin(), question);
}

async function withClient<C extends { connect(): Promise<void>; disconnect(): Promise<void> }, T>(
  client: C,
  work: (client: C) => Promise<T>,
): Promise<T> {
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.disconnect();
  }
}
