import type { StartedTestContainer } from 'testcontainers';
import { fixedPort } from './fixed-port.ts';
import { localKafka } from './sources.ts';

/** A folder in which the image's user may write. */
const DATA = '/tmp/kafka-data';

interface KafkaContainer {
  readonly container: StartedTestContainer;
  readonly broker: string;
}

/**
 * A broker in a container. It sends its clients the address at which they reach it, so the port of the host is chosen before
 * it starts; that port stays the same over a restart.
 */
export async function startKafkaContainer({ inMemory }: { inMemory: boolean }): Promise<KafkaContainer> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const { BROKER_SETTINGS, KAFKA_VERSION, asEnvironment } = await localKafka();
  const port = await fixedPort();
  const broker = `${(await getContainerRuntimeClient()).info.containerRuntime.host}:${port}`;
  const container = new GenericContainer(`apache/kafka:${KAFKA_VERSION}`)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment(asEnvironment({ ...BROKER_SETTINGS, ...singleNode(broker), 'log.dirs': DATA }))
    .withWaitStrategy(Wait.forLogMessage('Kafka Server started'));
  if (inMemory) container.withTmpFs({ [DATA]: 'rw' });
  return { container: await container.start(), broker };
}

function singleNode(broker: string): Record<string, string> {
  return {
    'node.id': '1',
    'process.roles': 'broker,controller',
    'controller.quorum.voters': '1@localhost:9093',
    'controller.listener.names': 'CONTROLLER',
    listeners: 'PLAINTEXT://:9092,CONTROLLER://:9093',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'advertised.listeners': `PLAINTEXT://${broker}`,
  };
}
