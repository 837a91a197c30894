import type { EventEnvelope } from '@fundrail/contracts';
import { describeWithKafka, kafkaPrefix, testBrokers } from '@fundrail/testing';
import { KafkaBus } from '../kafka-bus.ts';
import type { KafkaConnection } from '../kafka/kafka-connection.ts';
import { createTopics } from '../kafka/kafka-topics.ts';
import { readAllEvents } from './read-all-events.ts';

const event = (aggregate: string, sequence: number): EventEnvelope => ({
  id: `evt_${aggregate}_${sequence}`,
  type: 'payment.updated',
  version: 1,
  occurred_at: '2026-12-21T10:00:00.000+05:30',
  tenant: 'demo',
  aggregate_id: aggregate,
  sequence,
  data: `{"object":{"amount":1001.0000,"n":${sequence}},"previous_attributes":null}`,
  traceparent: null,
});

describeWithKafka('all events on Kafka', () => {
  let connection: KafkaConnection;
  let bus: KafkaBus;
  beforeAll(async () => {
    connection = { brokers: testBrokers(), clientId: 'reader', prefix: kafkaPrefix() };
    await createTopics(connection, { replicationFactor: 1 });
    bus = new KafkaBus(connection);
  });
  afterAll(() => bus.close());

  it('is nothing before anything was published', async () => {
    expect(await readAllEvents(connection)).toEqual([]);
  });

  it('is every event from the first on, repeats too, each aggregate in its order and as it was written', async () => {
    const written = ['a', 'b', 'c'].flatMap((aggregate) => [1, 2, 3].map((n) => event(aggregate, n)));
    await Promise.all(bus.publish(written));
    await Promise.all(bus.publish([event('a', 1)]));
    const read = await readAllEvents(connection);
    const of = (aggregate: string) => read.filter(({ event: one }) => one.aggregate_id === aggregate);
    expect(of('a').map(({ event: one }) => one)).toEqual([1, 2, 3, 1].map((n) => event('a', n)));
    expect(of('b').map(({ event: one }) => one.sequence)).toEqual([1, 2, 3]);
    expect(new Set(of('c').map(({ topic, partition }) => `${topic} ${partition}`)).size).toBe(1);
    expect(read[0]?.topic).toBe('payment');
  });
});
