import { Logger } from '@nestjs/common';
import { kafkaPrefix, testBrokers } from '@fundrail/testing';
import type { Admin, Message } from 'kafkajs';
import { KafkaBus, type KafkaBusOptions } from '../kafka-bus.ts';
import { kafkaClient, wireGroup, wireTopic, type KafkaConnection } from '../kafka/kafka-connection.ts';
import { createTopics } from '../kafka/kafka-topics.ts';
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
    await createTopics(connection, { replicationFactor: 1 });
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
    return withClient(kafkaClient(this.connection, 5).admin(), question);
  }

  /** Writes messages to the topic without the bus. */
  async produce(messages: Message[]): Promise<void> {
    const topic = wireTopic(this.connection, NOTICES);
    await withClient(kafkaClient(this.connection, 5).producer(), (producer) =>
      producer.send({ topic, messages }),
    );
  }

  /** Makes a stopped group start at the first event again. */
  async forgetOffsets(group: StageGroup): Promise<void> {
    const groupId = wireGroup(this.connection, group.name);
    const topic = wireTopic(this.connection, NOTICES);
    await this.admin((admin) => admin.resetOffsets({ groupId, topic, earliest: true }));
  }

  /** Commits, for a stopped group, offsets this far beyond the end of the topic's partitions. */
  async commitBeyondEnd(group: StageGroup, by: number): Promise<void> {
    const groupId = wireGroup(this.connection, group.name);
    const topic = wireTopic(this.connection, NOTICES);
    await this.admin(async (admin) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const partitions = ends.map(({ partition, high }) => ({
        partition,
        offset: String(Number(high) + by),
      }));
      await admin.setOffsets({ groupId, topic, partitions });
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
