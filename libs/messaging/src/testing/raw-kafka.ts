import { CompressionTypes, Partitioners, type Kafka, type Producer } from 'kafkajs';
import type { EventEnvelope } from '@fundrail/contracts';
import { topicOf } from '../event-bus.port.ts';
import { kafkaClient, wireTopic, type KafkaConnection } from '../kafka/kafka-connection.ts';
import { toMessage } from '../kafka/kafka-message.ts';

/** A record in the log. */
export interface RawRecord {
  readonly key: string;
  readonly eventId: string;
  readonly sequence: number;
  /** Wall milliseconds at which the producer sent it. */
  readonly timestamp: number;
}

/** Plain kafkajs: a benchmark compares the bus with it, and reads the log with it. */
export class RawKafka {
  readonly #kafka: Kafka;
  readonly #producer: Producer;

  constructor(private readonly connection: KafkaConnection) {
    this.#kafka = kafkaClient(connection, 5);
    this.#producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
  }

  connect(): Promise<void> {
    return this.#producer.connect();
  }

  disconnect(): Promise<void> {
    return this.#producer.disconnect();
  }

  /** One request with all of them, of one topic; resolves when all replicas have it. */
  async send(events: readonly EventEnvelope[]): Promise<void> {
    const [first] = events;
    if (!first) return;
    const topic = wireTopic(this.connection, topicOf(first.type));
    const messages = events.map(toMessage);
    await this.#producer.send({ acks: -1, compression: CompressionTypes.None, topic, messages });
  }

  /** The number of records in the topic: the sum of its partitions' ends, for topics without deleted records. */
  async count(topic: string): Promise<number> {
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      const ends = await admin.fetchTopicOffsets(wireTopic(this.connection, topic));
      return ends.reduce((sum, { high }) => sum + Number(high), 0);
    } finally {
      await admin.disconnect();
    }
  }

  /** Reads the whole topic as it is now, each partition in its order. */
  async readAll(topic: string): Promise<RawRecord[]> {
    const expected = await this.count(topic);
    const records: RawRecord[] = [];
    const consumer = this.#kafka.consumer({
      groupId: `${wireTopic(this.connection, topic)}.read.${Date.now()}`,
    });
    const { promise: allThere, resolve } = Promise.withResolvers<undefined>();
    await consumer.connect();
    await consumer.subscribe({ topics: [wireTopic(this.connection, topic)], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: ({ batch }) => {
        for (const { key, headers, timestamp } of batch.messages)
          records.push({
            key: String(key),
            eventId: String(headers?.['event_id']),
            sequence: Number(String(headers?.['sequence'])),
            timestamp: Number(timestamp),
          });
        if (records.length >= expected) resolve(undefined);
        return Promise.resolve();
      },
    });
    if (expected > 0) await allThere;
    await consumer.disconnect();
    return records;
  }
}
