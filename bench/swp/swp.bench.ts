import { Client } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeClient } from '../lib/api.ts';
import { meterCpu, thisProcess, type Part } from '../lib/cpu-time.ts';
import { startKafka, type BenchKafka } from '../lib/kafka.ts';
import { hundredths } from '../lib/median.ts';
import { watchMemory, type Memory } from '../lib/memory.ts';
import { beDurable, hurry, startPostgres, withDatabase, type BenchPostgres } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { OPERATOR, productionVariables } from '../lib/product.ts';
import { quantiles, type Quantiles } from '../lib/quantiles.ts';
import { migrateService, startServices, withAnother, type ServiceUrls } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { askApi, type Api } from './api.ts';
import { fillCourses, fillPlans, TENANT } from './fill.ts';
import { REDEMPTION, type Kind } from './kinds.ts';
import { idleQueryMs, isAnyDue, planOfGeneration } from './questions.ts';
import { oneByOne } from './one-by-one.ts';
import { countOrders, verifyOrders, verifyPlans, type Found } from './verify.ts';

const SCHEDULERS = size(4, 2);
/** For how long the API is measured while nothing is due. */
const IDLE_SECONDS = size(30, 1, 'BENCH_IDLE_SECONDS');
/** The courses are filled in this time, with much to spare; they fall due when it and the idle seconds are over. */
const FILL_MS_A_PLAN = 0.12;
const MARGIN_MS = size(15_000, 5_000);
const GENERATION_LIMIT_MS = 1_800_000;
const LOOK_EVERY_MS = 50;

interface Asked {
  readonly plans: number;
  /** Whether the events go over Kafka to orders; otherwise they wait in the outbox. */
  readonly withOrders: boolean;
}

function asked(): Asked {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      plans: { type: 'string', default: String(size(1_000_000, 500)) },
      'without-orders': { type: 'boolean', default: false },
    },
  });
  return { plans: Number(values.plans), withOrders: !values['without-orders'] };
}

interface Stage extends Asked {
  readonly kind: Kind;
  readonly postgres: BenchPostgres;
  readonly database: string;
  readonly schedulers: Processes;
  readonly others: Processes;
  readonly api: Api;
}

/**
 * Plans that are all due in one moment, and four processes of the service: until the installment and the outbox row of each are committed;
 * then, over its relay and Kafka, until orders has each order. Clients ask the four for plans before and meanwhile.
 */
export function swpBench(): Promise<object> {
  return plansBench(REDEMPTION);
}

/** The benchmark of one kind of plan; the baseline is measured with redemption plans alone. */
export async function plansBench(kind: Kind): Promise<object> {
  const { plans, withOrders } = asked();
  await using postgres = await startPostgres();
  await using kafka = withOrders ? await startKafka() : null;
  await using schedulers = new Processes();
  await using others = new Processes();
  await hurry(postgres.url);
  const baseline = kind === REDEMPTION ? await measureBaseline(postgres) : {};
  const api = { ...(await startAll(postgres, kafka, schedulers, others)), kind };
  const database = withDatabase(postgres.url, 'fundrail_swp');
  return {
    ...(await measure({ kind, plans, withOrders, postgres, database, schedulers, others, api })),
    ...baseline,
  };
}

/** Events wait in the outbox, also where this run's own environment names a broker. */
const withoutKafka = (url: string) => ({ ...productionVariables(url), KAFKA_BROKERS: '' });

/** One process of the service alone with batches of that size, whose events wait in the outbox. Returns its database. */
export async function startScheduler(
  postgresUrl: string,
  processes: Processes,
  batch: number,
): Promise<string> {
  const variables = { ...withoutKafka(postgresUrl), PLANS_GENERATION_BATCH: String(batch) };
  await startServices(['plans'], processes, variables);
  return withDatabase(postgresUrl, 'fundrail_swp');
}

/** One plan a transaction, in a database of its own; and the plan of our statement. */
async function measureBaseline(postgres: BenchPostgres): Promise<object> {
  const database = withDatabase(postgres.url, 'one_by_one');
  await migrateService('plans', {
    ...withoutKafka(postgres.url),
    PLANS_DATABASE_URL: database,
  });
  await beDurable(postgres.url);
  const rate = await oneByOne(database);
  console.log(`one by one: ${Math.round(rate)} installments/s by four connections`);
  console.log(await planOfGeneration(database));
  await hurry(postgres.url);
  return { one_by_one_ps: Math.round(rate) };
}

async function startAll(
  postgres: BenchPostgres,
  kafka: BenchKafka | null,
  schedulers: Processes,
  others: Processes,
): Promise<Omit<Api, 'kind'>> {
  const { brokers = [], prefix = '' } = kafka?.connection ?? {};
  const variables = {
    ...withoutKafka(postgres.url),
    ...(kafka ? { KAFKA_BROKERS: brokers.join(','), KAFKA_PREFIX: prefix } : {}),
    // No gateway is there: the reviews that follow a redemption are not what is measured.
    DUE_CONCURRENCY: '1',
    PURCHASE_PLANS: 'true',
  };
  const urls = await startServices(kafka ? ['identity', 'orders'] : ['identity'], others, variables);
  const replicas: ServiceUrls[] = [];
  for (let replica = 0; replica < SCHEDULERS; replica += 1)
    replicas.push(await startServices(['plans'], schedulers, variables, await withAnother(urls, 'plans')));
  const token = await makeClient(urls.identity, TENANT, OPERATOR);
  return { token, urls: replicas.map(({ plans }) => plans) };
}

async function measure(stage: Stage): Promise<object> {
  const { kind, plans, database, api } = stage;
  const dueAt = await fill(stage);
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    const idle = quantiles(await askApi(api, plans, IDLE_SECONDS, () => false));
    const idle_query_ms = await idleQueryMs(database);
    console.log(`idle: ${idle.p99_ms} ms at the 99th percentile, the scheduler's query ${idle_query_ms} ms`);
    const generated = await generate(stage, dueAt);
    const found = await verifyPlans(client, plans, kind);
    const idle_query_after_ms = await idleQueryMs(database);
    console.log(describe(plans, generated));
    const orders = stage.withOrders ? await untilInOrders(stage, dueAt) : null;
    return {
      ...{
        plans,
        seconds: hundredths(generated.seconds),
        seconds_to_orders: orders && hundredths(orders.seconds),
      },
      rss_peak_mb: Math.max(...generated.memory.map(({ peak }) => peak)),
      ...{ doubles: found.doubles + (orders?.doubles ?? 0), missed: found.missed + (orders?.missed ?? 0) },
      ...{ p99_ratio: hundredths(generated.api.p99_ms / idle.p99_ms), idle_query_ms, idle_query_after_ms },
      ...{ p99_idle_ms: idle.p99_ms, p99_generating_ms: generated.api.p99_ms },
      plans_ps: Math.round(plans / generated.seconds),
    };
  } finally {
    await client.end();
  }
}

/** Returns when the plans fall due. */
async function fill({ kind, plans, postgres, database }: Stage): Promise<Date> {
  const began = performance.now();
  await fillPlans(database, plans, kind);
  const dueAt = new Date(Date.now() + plans * FILL_MS_A_PLAN + IDLE_SECONDS * 1000 + MARGIN_MS);
  await fillCourses(database, plans, dueAt, kind);
  await beDurable(postgres.url);
  console.log(
    `${plans} plans in ${Math.round((performance.now() - began) / 1000)} s, due at ${dueAt.toISOString()}`,
  );
  return dueAt;
}

interface Generation {
  readonly seconds: number;
  readonly memory: readonly Memory[];
  readonly api: Quantiles;
  /** Processor time of each part an installment. */
  readonly cpu: string;
}

async function generate(stage: Stage, dueAt: Date): Promise<Generation> {
  const { plans, database, schedulers, api } = stage;
  const early = dueAt.getTime() - Date.now();
  if (early < 0) throw new Error(`the plans were due ${-early} ms before all was ready`);
  await pause(early);
  const used = meterCpu(partsOf(stage));
  const watches = schedulers.parts.map(watchMemory);
  let isOver = false;
  const asking = askApi(api, plans, GENERATION_LIMIT_MS / 1000, () => isOver);
  await untilNoneDue(database);
  const seconds = (Date.now() - dueAt.getTime()) / 1000;
  isOver = true;
  const cpu = used(plans);
  return { seconds, cpu, memory: watches.map((watch) => watch.stop()), api: quantiles(await asking) };
}

/** A plan counts as due until the transaction that has made its installment is committed. */
async function untilNoneDue(database: string): Promise<void> {
  const end = performance.now() + GENERATION_LIMIT_MS;
  const due = await isAnyDue(database);
  try {
    while (performance.now() < end) {
      if (!(await due.ask())) return;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    await due.end();
  }
  throw new Error('the installments were not generated in 30 minutes');
}

/** From the moment at which they were due until orders has all orders. */
async function untilInOrders(stage: Stage, dueAt: Date): Promise<Found & { readonly seconds: number }> {
  const { kind, plans, postgres } = stage;
  const client = new Client({ connectionString: withDatabase(postgres.url, 'fundrail_orders') });
  await client.connect();
  const used = meterCpu(partsOf(stage));
  const since = () => (Date.now() - dueAt.getTime()) / 1000;
  let found = -1;
  for (
    let more = await countOrders(client);
    more > found && more < plans;
    more = await growth(client, plans)
  ) {
    found = more;
    console.log(`orders has ${found} of them after ${Math.round(since())} s`);
  }
  const seconds = since();
  console.log(`        processor µs an order: ${used(plans)}`);
  const verified = await verifyOrders(client, plans, kind);
  await client.end();
  return { seconds, ...verified };
}

/** How many there are when all are there, or half a minute later. */
async function growth(client: Client, plans: number): Promise<number> {
  for (let looks = 0; looks < 30; looks += 1) {
    await pause(1_000);
    if ((await countOrders(client)) >= plans) break;
  }
  return countOrders(client);
}

function partsOf({ postgres, schedulers, others }: Stage): Part[] {
  return [postgres.part, ...schedulers.parts, ...others.parts, thisProcess('benchmark')];
}

function describe(plans: number, { seconds, memory, cpu }: Generation): string {
  const rss = memory.map(({ start, quarter, end }) => `${start} → ${quarter} → ${end}`).join(', ');
  return [
    `${plans} installments in ${seconds.toFixed(1)} s, ${Math.round(plans / seconds)}/s`,
    `        memory of the schedulers, MB: ${rss}`,
    `        processor µs an installment: ${cpu}`,
  ].join('\n');
}
