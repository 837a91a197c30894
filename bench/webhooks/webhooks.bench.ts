import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeClient, post, remove } from '../lib/api.ts';
import { meterCpu, meterCpuMs, type Part } from '../lib/cpu-time.ts';
import { median } from '../lib/median.ts';
import { atFixedRate } from '../lib/open-loop.ts';
import { startPostgres, withDatabase } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { quantiles, type Quantiles } from '../lib/quantiles.ts';
import { startReceiver, wallNow, type Receiver } from '../lib/receiver.ts';
import { startServices } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { Deliveries, eventId, type BenchEndpoint } from './fill.ts';
import { growthBench, type GrowthAsked } from './growth.ts';

const WARM_UP = size(5_000, 100);
/** The stream's rate at most, of what the backlog made: at the limit a queue has no quantile. */
const SHARE = 0.7;
const TENANTS = 10;
const PER_TENANT = 10;
/**
 * The number of rounds with dead and slow endpoints, and the share of the deliveries in each backlog. Many short rounds, because a
 * machine's speed varies by a tenth over time.
 */
const ROUNDS = size(20, 1);
const ROUND_SHARE = 0.2;
const BATCHES_A_SECOND = 50;
const ARRIVAL_LIMIT_MS = 600_000;
const SANDBOX_OPERATOR = { tenant: 'demo', id: 'admin', secret: 'admin-secret' };
/** No server listens there. */
const DEAD_URL = 'http://127.0.0.1:9/hooks';

interface Asked {
  readonly deliveries: number;
  /** Deliveries a second of the stream, and for how long. */
  readonly rate: number;
  readonly seconds: number;
  /** In place of all that: how the cost of a delivery grows with the tables. */
  readonly growth: GrowthAsked | null;
}

function asked(): Asked {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      deliveries: { type: 'string', default: String(size(200_000, 500)) },
      rate: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: String(size(20, 1)) },
      growth: { type: 'boolean', default: false },
      attempts: { type: 'string', default: String(size(10_000_000, 20_000)) },
      rounds: { type: 'string', default: String(size(40, 1)) },
    },
  });
  const { deliveries, rate, seconds, growth, attempts, rounds } = values;
  return {
    deliveries: Number(deliveries),
    rate: Number(rate),
    seconds: Number(seconds),
    growth: growth ? { attempts: Number(attempts), rounds: Number(rounds) } : null,
  };
}

interface Stage extends Asked {
  readonly base: string;
  readonly tokens: ReadonlyMap<string, string>;
  readonly filler: Deliveries;
  readonly receiver: Receiver;
  readonly parts: readonly Part[];
}

/**
 * 100 endpoints of ten tenants: a backlog of deliveries, a stream of them by a fixed schedule, the same stream while ten are dead and ten
 * take 14 s, and backlogs to 100 that are well and to 100 with such. One process of webhooks, each delivery with its attempt kept.
 */
export async function webhooksBench(): Promise<object> {
  const options = asked();
  if (options.growth) return growthBench(options.growth);
  await using postgres = await startPostgres();
  await using receiver = await startReceiver();
  await using processes = new Processes();
  // The poll stands for the consumer, whose commits wake the lane.
  const variables = {
    SANDBOX: 'true',
    DATABASE_URL: postgres.url,
    KAFKA_BROKERS: '',
    DUE_POLL_MS: '20',
    // At the default of 100 a second, 80 endpoints that are well would take no more than 8,000, however little the dead ones cost.
    WEBHOOK_ENDPOINT_RATE: '1000',
  };
  const urls = await startServices(['identity', 'webhooks'], processes, variables);
  const tokens = new Map<string, string>();
  for (let number = 0; number < TENANTS; number += 1) {
    const tenant = `bench-${number}`;
    tokens.set(tenant, await makeClient(urls.identity, tenant, SANDBOX_OPERATOR));
  }
  const filler = new Deliveries(withDatabase(postgres.url, 'fundrail_webhooks'));
  const parts = [postgres.part, ...processes.parts];
  const result = await measure({ ...options, base: urls.webhooks, tokens, filler, receiver, parts });
  await filler.end();
  return result;
}

async function measure(stage: Stage): Promise<object> {
  const { deliveries, receiver } = stage;
  const lively = await makeEndpoints(stage, PER_TENANT, receiver.url);
  await drain(stage, Math.min(deliveries, WARM_UP), lively);
  const { perSecond: deliveries_ps, cpuUs } = await drainMetered(stage, deliveries, lively);
  const stream_ps = Math.min(stage.rate, Math.floor(deliveries_ps * SHARE));
  const queue = await stream(stage, stream_ps, lively);
  print(`${stream_ps} deliveries/s by schedule: ${JSON.stringify(queue)}`);
  const besideDead = await streamBesideDead(stage, stream_ps, lively);
  print(`the same beside dead and slow ones, to the others: ${JSON.stringify(besideDead)}`);
  const loss = await rounds(stage, lively);
  const [came, kept] = [receiver.arrivals.size, await stage.filler.attempts()];
  print(`${came} events came, ${kept} successes kept`);
  return {
    deliveries,
    deliveries_ps,
    delivery_cpu_us: cpuUs,
    stream_ps,
    p99_queue_ms: queue.p99_ms,
    with_dead_p99_queue_ms: besideDead.p99_ms,
    ...loss,
  };
}

/** The stream, where ten of the hundred endpoints are dead and ten slow. */
async function streamBesideDead(
  stage: Stage,
  rate: number,
  lively: readonly BenchEndpoint[],
): Promise<Quantiles> {
  const others = lively.slice(0, lively.length - 2 * TENANTS);
  const away = await makeDeadAndSlow(stage);
  const queue = await stream(stage, rate, [...others, ...away], others);
  await removeEndpoints(stage, away);
  await stage.filler.untilNoneWaits();
  return queue;
}

/**
 * The same backlog to `lively` endpoints and to as many of which ten are dead and ten slow, in turn: each of the latter is compared
 * with the two beside it, so that other load on the machine and growth of the tables do not count as a loss by dead endpoints. All
 * write as many deliveries to as many endpoints: a larger table alone costs each of its deliveries more.
 */
async function rounds(stage: Stage, lively: readonly BenchEndpoint[]): Promise<object> {
  const others = lively.slice(0, lively.length - 2 * TENANTS);
  const count = Math.ceil((stage.deliveries * ROUND_SHARE) / lively.length) * lively.length;
  const alone = () => drain(stage, count, lively);
  const without = [await alone()];
  const withDead: number[] = [];
  const losses: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const away = await makeDeadAndSlow(stage);
    const before = without.at(-1) ?? 0;
    const meanwhile = await drain(stage, count, [...others, ...away], others);
    await removeEndpoints(stage, away);
    await stage.filler.untilNoneWaits();
    const after = await alone();
    withDead.push(meanwhile);
    without.push(after);
    losses.push(Math.round((1 - (2 * meanwhile) / (before + after)) * 1000) / 10);
  }
  return {
    without_dead_ps: Math.round(median(without)),
    with_dead_ps: Math.round(median(withDead)),
    loss_pct: Math.round(median(losses) * 10) / 10,
    losses_pct: losses,
  };
}

/** One dead endpoint of each tenant, and a slow one. */
async function makeDeadAndSlow(stage: Stage): Promise<BenchEndpoint[]> {
  const dead = await makeEndpoints(stage, 1, DEAD_URL);
  return [...dead, ...(await makeEndpoints(stage, 1, new URL('/slow', stage.receiver.url).href))];
}

/** So many endpoints of each tenant. They receive no events of the product: this benchmark writes their deliveries itself. */
async function makeEndpoints(stage: Stage, perTenant: number, url: string): Promise<BenchEndpoint[]> {
  const made: BenchEndpoint[] = [];
  for (let count = 0; count < perTenant; count += 1)
    for (const [tenant, token] of stage.tokens) {
      const body = { url, events: ['payment.*'] };
      const { id } = await post(stage.base, '/v2/notification_webhooks', token, body);
      made.push({ id: String(id), tenant });
    }
  return made;
}

async function removeEndpoints(stage: Stage, endpoints: readonly BenchEndpoint[]): Promise<void> {
  for (const { id, tenant } of endpoints)
    await remove(stage.base, `/v2/notification_webhooks/${id}`, stage.tokens.get(tenant) ?? '');
}

/** `count` deliveries due at the same time to `endpoints` in turn; returns how many per second reach those that are `counted`. */
async function drain(...backlog: Parameters<typeof drainMetered>): Promise<number> {
  return (await drainMetered(...backlog)).perSecond;
}

/** The same, and the processor time of one of all. */
async function drainMetered(
  { filler, receiver, parts }: Stage,
  count: number,
  endpoints: readonly BenchEndpoint[],
  counted: readonly BenchEndpoint[] = endpoints,
): Promise<{ readonly perSecond: number; readonly cpuUs: number }> {
  // Otherwise dead index entries of earlier drains would slow down later ones.
  await filler.vacuum();
  const numbers = await filler.add(count, endpoints);
  const [cpu, cpuMs] = [meterCpu(parts), meterCpuMs(parts)];
  const start = wallNow();
  const awaited = numbersTo(counted, numbers, endpoints);
  const end = await untilArrived(receiver, awaited);
  const perSecond = Math.round((awaited.length * 1000) / (end - start));
  const load = loadavg()[0]?.toFixed(1);
  print(`${perSecond} of ${count} deliveries/s; processor µs each: ${cpu(count)}; load ${load}`);
  const ms = Object.values(cpuMs(count)).reduce((sum, part) => sum + part, 0);
  return { perSecond, cpuUs: Math.round(ms * 1000) };
}

/** From the writing of a delivery until it stands at its endpoint, one of those that are `counted`. */
async function stream(
  { filler, receiver, seconds }: Stage,
  rate: number,
  endpoints: readonly BenchEndpoint[],
  counted: readonly BenchEndpoint[] = endpoints,
): Promise<Quantiles> {
  const written = new Map<number, number>();
  await atFixedRate(BATCHES_A_SECOND, seconds, async () => {
    const at = wallNow();
    const numbers = await filler.add(Math.round(rate / BATCHES_A_SECOND), endpoints);
    for (const number of numbersTo(counted, numbers, endpoints)) written.set(number, at);
  });
  await untilArrived(receiver, [...written.keys()]);
  return quantiles(
    [...written].map(([number, at]) => (receiver.arrivals.get(eventId(number)) ?? Infinity) - at),
  );
}

/** Those that `Deliveries.add` has written for endpoints that are `counted`. */
function numbersTo(
  counted: readonly BenchEndpoint[],
  numbers: readonly number[],
  endpoints: readonly BenchEndpoint[],
): number[] {
  const ours = new Set(counted);
  return numbers.filter((number) => {
    const endpoint = endpoints[number % endpoints.length];
    return endpoint !== undefined && ours.has(endpoint);
  });
}

/** Answers when the last of them came, in wall milliseconds. */
async function untilArrived({ arrivals }: Receiver, numbers: readonly number[]): Promise<number> {
  const limit = performance.now() + ARRIVAL_LIMIT_MS;
  let last = 0;
  // One after the other: to ask for all of them again and again would take the processor from what is measured.
  for (const id of numbers.map(eventId)) {
    while (!arrivals.has(id)) {
      await pause(20);
      if (performance.now() > limit) throw new Error(`${id} did not arrive`);
    }
    last = Math.max(last, arrivals.get(id) ?? 0);
  }
  return last;
}

function print(line: string): void {
  console.log(line);
}
