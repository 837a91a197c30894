import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createTopics, type KafkaConnection } from '@fundrail/messaging';
import { dockerAnswers } from '../../libs/testing/src/infrastructure/docker-engine.ts';
import { findKafka } from '../../libs/testing/src/infrastructure/kafka.ts';
import type { Part } from './cpu-time.ts';

export interface BenchKafka extends AsyncDisposable {
  readonly connection: KafkaConnection;
  /** The same broker with topics of other names, for what a benchmark compares with. */
  readonly other: KafkaConnection;
  /** The broker's process; null when it is not on this machine, or cannot be distinguished from others. */
  readonly part: Part | null;
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
  const pid = brokerProcess(found.address.split(':').at(-1) ?? '');
  const part = pid === null ? null : { name: 'Kafka', pid, withChildren: false };
  return { connection, other, part, [Symbol.asyncDispose]: () => found.stop() };
}

/** The one broker of this machine, or of several the one whose settings name the port. */
function brokerProcess(port: string): number | null {
  const brokers = existsSync('/proc') ? readdirSync('/proc').flatMap((pid) => brokerOf(pid)) : [];
  const named = brokers.find(({ settings }) => readText(settings).includes(`PLAINTEXT://127.0.0.1:${port}`));
  return (named ?? (brokers.length === 1 ? brokers[0] : undefined))?.pid ?? null;
}

function brokerOf(pid: string): { pid: number; settings: string }[] {
  const [, settings] = readText(`/proc/${pid}/cmdline`).split('\0kafka.Kafka\0');
  return settings === undefined ? [] : [{ pid: Number(pid), settings: settings.replace('\0', '') }];
}

/** Empty when it is not there or not ours to read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
