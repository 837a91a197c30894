import { randomBytes } from 'node:crypto';
import { createTopics, type KafkaConnection } from '@fundrail/messaging';
import { dockerAnswers } from '../../libs/testing/src/infrastructure/docker-engine.ts';
import { findKafka } from '../../libs/testing/src/infrastructure/kafka.ts';

export interface BenchKafka extends AsyncDisposable {
  readonly connection: KafkaConnection;
  /** The same broker with topics of other names, for what a benchmark compares with. */
  readonly other: KafkaConnection;
}

/** `KAFKA_BROKERS`, else a container, else the local Kafka; with topics of this run's own, by their prefix. */
export async function startKafka(): Promise<BenchKafka> {
  const found = await findKafka(await dockerAnswers());
  if (!found) throw new Error('no Kafka: give KAFKA_BROKERS, or start Docker, or install Java and Maven');
  console.log(`Kafka: ${found.address} (${found.origin})`);
  const run = randomBytes(4).toString('hex');
  const withPrefix = (prefix: string): KafkaConnection => ({
    brokers: found.address.split(','),
    clientId: 'bench',
    prefix,
  });
  const [connection, other] = [withPrefix(`bench-${run}.`), withPrefix(`bench-${run}-other.`)];
  for (const one of [connection, other]) await createTopics(one, { replicationFactor: 1 });
  return { connection, other, [Symbol.asyncDispose]: () => found.stop() };
}
