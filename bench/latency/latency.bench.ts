import { RawKafka } from '@fundrail/messaging/testing';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { makeClient, post } from '../lib/api.ts';
import { meterCpu, type Part } from '../lib/cpu-time.ts';
import { TENANT, TOPIC } from '../lib/events.ts';
import { growthFault } from '../lib/growth.ts';
import { startKafka } from '../lib/kafka.ts';
import { startPostgres, withDatabase } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { startServices } from '../lib/services.ts';
import { Emitter, type Emitted } from './emitter.ts';
import { latencyFigures, type LatencyFigures } from './figures.ts';
import { startReceiver, type Receiver } from '../lib/receiver.ts';
import { IS_SMALLEST, size } from '../lib/size.ts';

const RATES = (process.env['BENCH_RATES'] ?? (IS_SMALLEST ? '20' : '100,500,1000')).split(',').map(Number);
const SECONDS = size(60, 1, 'BENCH_SECONDS');
const WARM_UP_SECONDS = size(5, 1);
/** The factor of the endpoint's limit over the sent rate, so that the delivery is measured and not the wait for a slot. */
const ABOVE_RATE = 4;
/** Deliveries to the endpoint at a time. */
const ENDPOINT_CONCURRENCY = 64;
/** The limit for events in flight when the last one is committed. */
const ARRIVAL_LIMIT_MS = 60_000;
/** What the sandbox is seeded with; only a sandbox sends webhooks to this machine. */
const SANDBOX_OPERATOR = { tenant: 'demo', id: 'admin', secret: 'admin-secret' };

/**
 * From the commit of an event in payments' outbox until its webhook stands at the client's endpoint: payments' relay, Kafka,
 * webhooks and one endpoint, all as processes; load by a fixed schedule.
 */
export async function latencyBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using kafka = await startKafka();
  await using receiver = await startReceiver();
  await using processes = new Processes();
  const { brokers, prefix = '' } = kafka.connection;
  const urls = await startServices(['identity', 'payments', 'webhooks'], processes, {
    SANDBOX: 'true',
    DATABASE_URL: postgres.url,
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_PREFIX: prefix,
    // The default of 100 a second would make a queue of every rate from there on.
    WEBHOOK_ENDPOINT_RATE: String(Math.max(...RATES) * ABOVE_RATE),
    // With the default of 8 at a time, of which each takes about 15 ms, every rate above 500 a second would be such a queue too.
    WEBHOOK_ENDPOINT_CONCURRENCY: String(ENDPOINT_CONCURRENCY),
  });
  const token = await makeClient(urls.identity, TENANT, SANDBOX_OPERATOR);
  await post(urls.webhooks, '/v2/notification_webhooks', token, {
    url: receiver.url,
    events: ['payment.*'],
  });
  const parts = [postgres.part, ...processes.parts];
  const stage = { databaseUrl: postgres.url, log: new RawKafka(kafka.connection), receiver, parts };
  return await measure(stage);
}

interface Stage {
  readonly databaseUrl: string;
  readonly log: RawKafka;
  readonly receiver: Receiver;
  readonly parts: readonly Part[];
}

async function measure(stage: Stage): Promise<object> {
  const emitter = new Emitter(withDatabase(stage.databaseUrl, 'fundrail_payments'));
  const webhooks = new pg.Pool({
    connectionString: withDatabase(stage.databaseUrl, 'fundrail_webhooks'),
    max: 1,
  });
  const figures: LatencyFigures[] = [];
  for (const rate of RATES) {
    const cpu = meterCpu(stage.parts);
    const start = performance.timeOrigin + performance.now();
    const emitted = await emitter.emit(rate, WARM_UP_SECONDS + SECONDS);
    await untilArrived(stage.receiver, emitted);
    const used = cpu(emitted.length);
    const records = await stage.log.readAll(TOPIC);
    const seen = {
      emitted,
      records,
      consumed: await consumedAt(webhooks),
      arrivals: stage.receiver.arrivals,
    };
    const isCounted = ({ due }: Emitted) => due >= start + WARM_UP_SECONDS * 1000;
    const result = latencyFigures(rate, seen, isCounted);
    console.log(`${rate} /s: ${JSON.stringify(result)}`);
    console.log(`        processor µs an event: ${used}`);
    figures.push(result);
    // So few events of processes that are still cold say nothing of a queue.
    if (!IS_SMALLEST) refuseGrowth(rate, emitted.filter(isCounted), stage.receiver);
  }
  await Promise.all([emitter.end(), webhooks.end()]);
  return report(figures);
}

async function untilArrived({ arrivals }: Receiver, emitted: readonly Emitted[]): Promise<void> {
  const end = performance.now() + ARRIVAL_LIMIT_MS;
  while (emitted.some(({ id }) => !arrivals.has(id))) {
    if (performance.now() > end) {
      const missing = emitted.filter(({ id }) => !arrivals.has(id)).length;
      throw new Error(`${missing} webhooks did not arrive`);
    }
    await pause(100);
  }
}

/** Throws when events wait longer and longer: the figures would depend on for how long it was measured. */
function refuseGrowth(rate: number, emitted: readonly Emitted[], { arrivals }: Receiver): void {
  const waits = emitted.flatMap(({ id, committed }) => {
    const received = arrivals.get(id);
    return received === undefined ? [] : [{ at: committed, ms: received - committed }];
  });
  const fault = growthFault(`commit to webhook at ${rate} events/s`, waits);
  if (fault !== null) throw new Error(fault);
}

/** When the inbox of webhooks took each event. */
async function consumedAt(webhooks: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await webhooks.query<{ event_id: string; at: number }>(
    'SELECT event_id, extract(epoch FROM received_at)::float8 * 1000 AS at FROM inbox',
  );
  return new Map(rows.map(({ event_id, at }) => [event_id, at]));
}

function report(figures: readonly LatencyFigures[]): object {
  const text = ({ p50_ms, p99_ms }: { p50_ms: number; p99_ms: number }) => `${p50_ms} / ${p99_ms}`;
  console.log('p50 / p99 in ms');
  console.table(
    Object.fromEntries(
      figures.map((figure) => [
        `${figure.per_second} events/s`,
        {
          'commit → received': text(figure),
          'commit → published': text(figure.commit_to_published),
          'published → consumed': text(figure.published_to_consumed),
          'consumed → received': text(figure.consumed_to_received),
          'out of order': figure.out_of_order,
        },
      ]),
    ),
  );
  return Object.fromEntries(figures.map((figure) => [`latency_${figure.per_second}`, figure]));
}
