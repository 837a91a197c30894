import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../wait-for.ts';
import { dockerAnswers } from './docker-engine.ts';
import { fixedPort } from './fixed-port.ts';
import { startKafkaContainer } from './kafka-container.ts';
import { ownContainer, type OwnServer } from './own-server.ts';
import { localKafka } from './sources.ts';
import { endWithThisProcess } from './started-server.ts';

const START_LIMIT_MS = 60_000;

/** A Kafka for one suite, which the suite may stop. */
export interface OwnKafka extends OwnServer {
  /** `host:port` of its one broker. */
  readonly brokers: string[];
}

/**
 * Starts a broker for this suite, without topics: in a container when a Docker engine answers, else from `tools/`
 * (throws when Java or Maven is missing). Call `remove` in `afterAll`.
 */
export async function startOwnKafka(): Promise<OwnKafka> {
  return (await dockerAnswers()) ? inContainer() : onThisMachine();
}

async function inContainer(): Promise<OwnKafka> {
  const { container, broker } = await startKafkaContainer({ inMemory: false });
  const [host = '', port] = broker.split(':');
  const { brokerAnswers } = await localKafka();
  const untilItAnswers = async () =>
    void (await waitFor(() => brokerAnswers(host, Number(port)), {
      limitMs: START_LIMIT_MS,
      what: `Kafka on ${broker}`,
    }));
  return { ...(await ownContainer(container, untilItAnswers)), brokers: [broker] };
}

async function onThisMachine(): Promise<OwnKafka> {
  const { LocalKafka } = await localKafka();
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-kafka-'));
  const kafka = new LocalKafka({ port: await fixedPort(), directory });
  endWithThisProcess(() => kafka.killNow());
  await kafka.start();
  const signal = (name: NodeJS.Signals) => () => {
    kafka.signal(name);
    return Promise.resolve();
  };
  return {
    origin: 'the local Kafka of tools/',
    brokers: [kafka.broker],
    stop: () => kafka.stop(),
    kill: () => kafka.kill(),
    start: () => kafka.start(),
    restart: () => kafka.stop().then(() => kafka.start()),
    pause: signal('SIGSTOP'),
    resume: signal('SIGCONT'),
    remove: () => kafka.wipe(),
  };
}
