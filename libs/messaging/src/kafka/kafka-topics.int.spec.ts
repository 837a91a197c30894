import { Logger } from '@nestjs/common';
import { ConfigResourceTypes } from 'kafkajs';
import { TOPICS } from '@fundrail/contracts';
import { describeWithKafka, kafkaPrefix, testBrokers } from '@fundrail/testing';
import { kafkaClient, type KafkaConnection } from './kafka-connection.ts';
import { createTopics, missingTopics } from './kafka-topics.ts';

/** Records the library's log lines at `warn`. */
class LogRecorder {
  readonly warnings: object[] = [];
  readonly log = (): void => undefined;
  readonly error = this.log;
  readonly debug = this.log;
  readonly warn = (line: object): void => void this.warnings.push(line);
}

describeWithKafka('the topics on the broker', () => {
  let connection: KafkaConnection;
  let log: LogRecorder;
  beforeEach(() => {
    connection = { brokers: testBrokers(), clientId: 'test', prefix: kafkaPrefix() };
    log = new LogRecorder();
    Logger.overrideLogger(log);
  });
  afterEach(() => {
    Logger.overrideLogger(['error', 'warn']);
  });

  it('are those of the catalogue, each under the prefix, with its partitions and retention', async () => {
    const names = TOPICS.map(({ name }) => `${connection.prefix}${name}`);
    expect(await missingTopics(connection)).toEqual(names);

    await createTopics(connection, { replicationFactor: 1 });

    expect(await missingTopics(connection)).toEqual([]);
    const admin = kafkaClient(connection, 5).admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({
        type: ConfigResourceTypes.TOPIC,
        name,
        configNames: ['retention.ms'],
      })),
    });
    await admin.disconnect();
    const sizes = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
    expect(names.map((name) => sizes.get(name))).toEqual(TOPICS.map(({ partitions }) => partitions));
    const kept = new Map(
      resources.map(({ resourceName, configEntries }) => [resourceName, configEntries[0]]),
    );
    expect(names.map((name) => kept.get(name)?.configValue)).toEqual(
      TOPICS.map(({ retentionMs }) => String(retentionMs)),
    );
  });

  it('are created once by any number of concurrent callers', async () => {
    await Promise.all([1, 2, 3].map(() => createTopics(connection, { replicationFactor: 1 })));

    await createTopics(connection, { replicationFactor: 1 });

    expect(await missingTopics(connection)).toEqual([]);
  });

  it("keep their number of partitions, and a number other than the catalogue's is logged", async () => {
    const [first] = TOPICS;
    const topic = `${connection.prefix}${first?.name}`;
    const admin = kafkaClient(connection, 5).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 3, replicationFactor: 1 }] });

    await createTopics(connection, { replicationFactor: 1 });

    expect(log.warnings).toContainEqual(
      expect.objectContaining({ topic, partitions: 3, catalogue: first?.partitions }),
    );
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    await admin.disconnect();
    expect(topics[0]?.partitions).toHaveLength(3);
  });

  it('are not created when no broker answers within the limit', async () => {
    const nowhere = { ...connection, brokers: ['127.0.0.1:1'] };

    await expect(createTopics(nowhere, { replicationFactor: 1, limitMs: 300 })).rejects.toThrow(
      'ECONNREFUSED',
    );
    await expect(missingTopics(nowhere)).rejects.toThrow('ECONNREFUSED');
  });
});
