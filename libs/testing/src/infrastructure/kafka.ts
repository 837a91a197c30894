import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedPort } from './fixed-port.ts';
import { startKafkaContainer } from './kafka-container.ts';
import { localKafka } from './sources.ts';
import { endWithThisProcess, given, reasonOf, type StartedServer } from './started-server.ts';

/**
 * The run's Kafka: `KAFKA_BROKERS`, else a container when a Docker engine answers, else the local Kafka of `tools/` when
 * Java and Maven are there; else null.
 */
export async function findKafka(docker: boolean): Promise<StartedServer | null> {
  const brokers = process.env['KAFKA_BROKERS'];
  if (brokers) return given(brokers, 'KAFKA_BROKERS');
  return (docker ? await inContainer() : null) ?? (await onThisMachine());
}

async function inContainer(): Promise<StartedServer | null> {
  try {
    const { container, broker } = await startKafkaContainer({ inMemory: true });
    // No time to write anything: its data is deleted too.
    const stop = async () => void (await container.stop({ timeout: 0 }));
    return { address: broker, origin: 'testcontainers', stop };
  } catch (error) {
    console.warn(`Kafka does not run in Docker: ${reasonOf(error)}`);
    return null;
  }
}

async function onThisMachine(): Promise<StartedServer | null> {
  const { LocalKafka, whatIsMissing } = await localKafka();
  if (await whatIsMissing()) return null;
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-kafka-'));
  const kafka = new LocalKafka({ port: await fixedPort(), directory });
  endWithThisProcess(() => kafka.killNow());
  try {
    await kafka.start();
    return { address: kafka.broker, origin: 'the local Kafka of tools/', stop: () => kafka.wipe() };
  } catch (error) {
    console.warn(`Kafka does not run on this machine: ${reasonOf(error)}`);
    await kafka.wipe();
    await rm(directory, { recursive: true, force: true });
    return null;
  }
}
