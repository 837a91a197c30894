import { KafkaBus, messagingMigrationSql } from '@fundrail/messaging';
import { execute, PgTransactions, RawKafka } from '@fundrail/messaging/testing';
import { meterCpu, thisProcess, type Part } from '../lib/cpu-time.ts';
import { startKafka } from '../lib/kafka.ts';
import { hundredths, median } from '../lib/median.ts';
import { onServer, startPostgres, withDatabase } from '../lib/postgres.ts';
import { size } from '../lib/size.ts';
import { TOPIC } from '../lib/events.ts';
import { drainByRelay, drainOneByOne, sendWithoutOutbox } from './contenders.ts';
import { EVENTS_EACH, fillOutbox } from './stock.ts';
import { stream, type StreamFigures } from './stream.ts';
import { checkLog, type LogFindings } from './verify.ts';

const COUNT = size(100_000, 1_000, 'BENCH_EVENTS');
const ROUNDS = size(3, 1, 'BENCH_ROUNDS');
/** One at a time is slow; this many are enough to measure it. */
const NAIVE_COUNT = size(1_000, 250);

/** Events a second of each contender in one round. */
interface Round {
  readonly ours: number;
  readonly ceiling: number;
  readonly naive: number;
}

/**
 * Outbox to Kafka on one durable PostgreSQL: a full outbox drained by (a) fundrail's relay and bus, (b) kafkajs without any
 * outbox as the ceiling, (c) a relay of one row at a time; then a steady stream of commits. The log is read back at the end:
 * a lost event, or one before its turn, fails the benchmark.
 */
export async function relayBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using kafka = await startKafka();
  const url = withDatabase(postgres.url, 'relay');
  await onServer(postgres.url, 'CREATE DATABASE relay');
  const db = new PgTransactions(url);
  const bus = new KafkaBus(kafka.connection);
  const raw = new RawKafka(kafka.other);
  const log = new RawKafka(kafka.connection);
  try {
    await execute(db, messagingMigrationSql);
    await raw.connect();
    const parts = [thisProcess('node'), postgres.part];
    const rounds = await runRounds({ db, bus, raw, parts });
    const drained = await verify(log, ROUNDS * COUNT);
    const streamed = await stream(db, bus, ROUNDS * COUNT);
    return report(rounds, drained, streamed);
  } finally {
    await Promise.all([bus.close(), raw.disconnect(), db.end()]);
  }
}

interface Stage {
  readonly db: PgTransactions;
  readonly bus: KafkaBus;
  readonly raw: RawKafka;
  readonly parts: readonly Part[];
}

/** The contenders take turns, so that a slow minute of the machine hits all of them. */
async function runRounds({ db, bus, raw, parts }: Stage): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round * COUNT;
    const ceiling = COUNT / (await sendWithoutOutbox(raw, first, COUNT));
    await fillOutbox(db.pool, first, NAIVE_COUNT);
    const naive = NAIVE_COUNT / (await drainOneByOne(db, raw, NAIVE_COUNT));
    await fillOutbox(db.pool, first, COUNT);
    const cpu = meterCpu(parts);
    const ours = COUNT / (await drainByRelay(db, bus, COUNT));
    rounds.push({ ours, ceiling, naive });
    const used = cpu(COUNT);
    console.log(
      `round ${round + 1}: relay ${ours.toFixed(0)} /s, ceiling ${ceiling.toFixed(0)} /s, naive ${naive.toFixed(0)} /s; ` +
        `processor µs of the relay an event: ${used}`,
    );
  }
  return rounds;
}

async function verify(log: RawKafka, count: number): Promise<LogFindings> {
  const findings = checkLog(await log.readAll(TOPIC), count / EVENTS_EACH, EVENTS_EACH);
  console.log(`read back ${count} events: ${JSON.stringify(findings)}`);
  if (findings.missing !== 0 || findings.out_of_order > 0)
    throw new Error('events are missing or out of order, so the figures mean nothing');
  return findings;
}

function report(rounds: readonly Round[], drained: LogFindings, streamed: StreamFigures): object {
  const of = (name: keyof Round) => Math.round(median(rounds.map((round) => round[name])));
  const ratio = median(rounds.map(({ ours, ceiling }) => ours / ceiling));
  console.table({
    'relay (ours)': { 'events/s': of('ours') },
    'kafkajs without an outbox (ceiling)': { 'events/s': of('ceiling') },
    'one row at a time (naive)': { 'events/s': of('naive') },
  });
  return {
    relay_eps: of('ours'),
    ceiling_eps: of('ceiling'),
    naive_eps: of('naive'),
    of_ceiling: hundredths(ratio),
    ...drained,
    stream: streamed,
  };
}
