import { describeWithKafka, kafkaPrefix, testBrokers } from '@fundrail/testing';
import { KafkaBus } from './kafka-bus.ts';
import { createTopics } from './kafka/kafka-topics.ts';
import { busConformance } from './testing/bus-conformance.ts';

describeWithKafka('over Kafka', () => {
  busConformance('the Kafka bus', async () => {
    const connection = { brokers: testBrokers(), clientId: 'conformance', prefix: kafkaPrefix() };
    await createTopics(connection, { replicationFactor: 1 });
    const bus = new KafkaBus(connection);
    return { bus, close: () => bus.close() };
  });
});
