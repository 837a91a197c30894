import { describeWithKafka, kafkaPrefix, testBrokers } from '@fundrail/testing';
import { KafkaBus } from './kafka-bus.ts';
import { busConformance } from './testing/bus-conformance.ts';
import { createNotices } from './testing/kafka-stage.ts';

describeWithKafka('over Kafka', () => {
  busConformance('the Kafka bus', async () => {
    const connection = { brokers: testBrokers(), clientId: 'conformance', prefix: kafkaPrefix() };
    await createNotices(connection);
    const bus = new KafkaBus(connection);
    return { bus, close: () => bus.close() };
  });
});
