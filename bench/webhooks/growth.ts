import type { Queryable } from '@fundrail/persistence';
import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { insertSuccesses } from '../../apps/webhooks/src/delivery/attempt.repository.ts';
import {
  leaseDueDeliveries,
  leaseReplayedDeliveries,
  type LeasedDelivery,
} from '../../apps/webhooks/src/delivery/due-delivery.repository.ts';
import { cpuTimes, type Part } from '../lib/cpu-time.ts';
import { median } from '../lib/median.ts';
import { beDurable, hurry, startPostgres, withDatabase } from '../lib/postgres.ts';
import { migrateService } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { Deliveries } from './fill.ts';
import { ENDPOINTS, fillHistory } from './history.ts';

/** The smaller database has so small a part of the attempts of the larger. */
const PART = 100;
const WARM_UP = size(5, 1);
const DELIVERIES = 1_000;
// As a process has them: places, how many of them an endpoint has, and successes that are kept by one statement.
const PLACES = 512;
const PER_ENDPOINT = 8;
const TOGETHER = 64;
const REPLAYS_AT_ONCE = 2;
const LEASE_MS = 20_000;
// Endpoints without a limit: the benchmark has no second to wait.
const RATE = 10_000;

export interface GrowthAsked {
  /** In the larger database. */
  readonly attempts: number;
  readonly rounds: number;
}

/** A database of webhooks with a history, and a connection with the settings of the sender's. */
class Contender {
  readonly #client: pg.Client;
  readonly #filler: Deliveries;
  readonly #queryable: Queryable = {
    query: async <Row>({ name, text }: { name: string; text: string }, values: readonly unknown[] = []) =>
      (await this.#client.query<Row & pg.QueryResultRow>({ name, text, values: [...values] })).rows,
  };

  readonly #part: Part;

  private constructor(client: pg.Client, pid: number, filler: Deliveries) {
    this.#client = client;
    this.#part = { name: 'connection', pid, withChildren: false };
    this.#filler = filler;
  }

  static async start(server: string, name: string, attempts: number): Promise<Contender> {
    const url = withDatabase(server, name);
    await migrateService('webhooks', { SANDBOX: 'true', WEBHOOKS_DATABASE_URL: url });
    const began = performance.now();
    await fillHistory(url, attempts);
    const client = new pg.Client({ connectionString: url, options: PLAN_BY_INDEX });
    await client.connect();
    const seconds = Math.round((performance.now() - began) / 1000);
    const { rows } = await client.query<{ pid: number; size: string; kept: number }>(
      `SELECT pg_backend_pid() AS pid, pg_size_pretty(pg_database_size(current_database())) AS size, (SELECT count(*)::int FROM delivery_attempts) AS kept`,
    );
    console.log(`${name}: ${rows[0]?.kept ?? 0} attempts, ${rows[0]?.size ?? ''}, in ${seconds} s`);
    return new Contender(client, rows[0]?.pid ?? 0, new Deliveries(url));
  }

  /** Makes new deliveries due and ends them as the lane does, all answers being 204. */
  async round(): Promise<Cost> {
    await this.#filler.add(DELIVERIES, ENDPOINTS);
    const before = this.#processorMs();
    let ended = 0;
    let [leaseMs, recordMs] = [0, 0];
    for (;;) {
      const began = performance.now();
      const leased = await this.lease();
      const taken = performance.now();
      leaseMs += taken - began;
      if (leased.length === 0) break;
      for (let first = 0; first < leased.length; first += TOGETHER)
        ended += await this.succeed(leased.slice(first, first + TOGETHER));
      recordMs += performance.now() - taken;
    }
    if (ended !== DELIVERIES) throw new Error(`${ended} of ${DELIVERIES} deliveries ended`);
    const processor = this.#processorMs() - before;
    return {
      lease: (leaseMs * 1000) / DELIVERIES,
      record: (recordMs * 1000) / DELIVERIES,
      processor: (processor * 1000) / DELIVERIES,
    };
  }

  #processorMs(): number {
    return cpuTimes([this.#part]).get(this.#part.name) ?? Number.NaN;
  }

  async end(): Promise<void> {
    await Promise.all([this.#filler.end(), this.#client.end()]);
  }

  private async lease(): Promise<LeasedDelivery[]> {
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    const known = { now, wallNow: now, token: randomUUID(), until, perEndpoint: PER_ENDPOINT, rate: RATE };
    const leased = await leaseDueDeliveries(this.#queryable, { ...known, most: PLACES });
    const most = PLACES - leased.length;
    if (most > 0) await leaseReplayedDeliveries(this.#queryable, { ...known, most }, REPLAYS_AT_ONCE);
    return leased;
  }

  private async succeed(leased: readonly LeasedDelivery[]): Promise<number> {
    const now = new Date();
    const answer = { webhook_timestamp: 1, status: 204, duration_ms: 40, error: null, response_body: '' };
    const successes = leased.map(({ id, tenant, webhook, url }) => {
      const attempt = { ...answer, delivery: id, url };
      return { tenant, webhook, attempt };
    });
    const kept = await insertSuccesses(this.#queryable, successes, { at: now, stored_at: now });
    return kept.filter(Boolean).length;
  }
}

/**
 * The cost of a delivery's statements in the sender, with the attempts of a month and with a hundredth of them: two databases of
 * one server, a round of each in turn.
 */
export async function growthBench({ attempts, rounds }: GrowthAsked): Promise<object> {
  await using postgres = await startPostgres();
  await hurry(postgres.url);
  const small = await Contender.start(postgres.url, 'small', attempts / PART);
  const large = await Contender.start(postgres.url, 'large', attempts);
  await beDurable(postgres.url);
  const pairs: Pair[] = [];
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const pair = await measure(small, large, round % 2 === 0);
    if (round >= WARM_UP) pairs.push(pair);
  }
  await Promise.all([small.end(), large.end()]);
  return report(pairs);
}

/** Microseconds a delivery, of the statements that take it and of the one that ends it. */
interface Cost {
  readonly lease: number;
  readonly record: number;
  /** What the connection's process of PostgreSQL used of the processor for both, to 10 ms a round. */
  readonly processor: number;
}

interface Pair {
  readonly small: Cost;
  readonly large: Cost;
}

async function measure(small: Contender, large: Contender, smallFirst: boolean): Promise<Pair> {
  const first = await (smallFirst ? small : large).round();
  const second = await (smallFirst ? large : small).round();
  return smallFirst ? { small: first, large: second } : { small: second, large: first };
}

/**
 * Medians of the rounds; the ratio is the median of those of each pair: what the machine did meanwhile hit both. Of the processor
 * the mean, as its times are coarse.
 */
function report(pairs: readonly Pair[]): object {
  const of = (cost: (one: Cost) => number) => ({
    small: Math.round(median(pairs.map((pair) => cost(pair.small)))),
    large: Math.round(median(pairs.map((pair) => cost(pair.large)))),
    ratio: thousandths(median(pairs.map((pair) => cost(pair.large) / cost(pair.small)))),
  });
  const mean = (which: (pair: Pair) => Cost) =>
    pairs.reduce((sum, pair) => sum + which(pair).processor, 0) / pairs.length;
  const [small, large] = [mean((pair) => pair.small), mean((pair) => pair.large)];
  const whole = of(({ lease, record }) => lease + record);
  console.table({
    lease: of(({ lease }) => lease),
    record: of(({ record }) => record),
    whole,
    'processor of both': {
      small: Math.round(small),
      large: Math.round(large),
      ratio: thousandths(large / small),
    },
  });
  return {
    cost_100k_us: whole.small,
    cost_10m_us: whole.large,
    growth_ratio: whole.ratio,
    processor_ratio: thousandths(large / small),
  };
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
