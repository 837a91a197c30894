import { Pool } from 'undici';
import { makeClient } from '../lib/api.ts';
import { drive, type LoadResult } from '../lib/load.ts';
import { hundredths, median } from '../lib/median.ts';
import { atFixedRate } from '../lib/open-loop.ts';
import { startPostgres } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { OPERATOR, productionVariables } from '../lib/product.ts';
import { quantiles } from '../lib/quantiles.ts';
import { flood, type FloodTerms } from './flood.ts';
import { startServices, withAnother } from '../lib/services.ts';
import { size } from '../lib/size.ts';

const ROUNDS = size(5, 1, 'BENCH_ROUNDS');
const REQUESTS = size(3_000, 50, 'BENCH_REQUESTS');
const SECONDS = size(8, 1, 'BENCH_SECONDS');
const WARM_UP = size(200, 10);
const WARM_UP_SECONDS = size(3, 1);
/** Far above the sent rate, so that the cost of counting is measured and not that of a refusal. */
const NO_LIMIT = { reads_per_second: 100_000, writes_per_second: 100_000 };
const QUIET_RATE = 50;
const FLOOD_RATE = 500;
const LIST = '/v2/events?limit=1';

/**
 * The cost of a limit per request: the same list from a webhooks process that counts and from one that does not, in turn. Then the
 * effect of a tenant that sends five times its limit on another one below its limit.
 */
export async function limitsBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using processes = new Processes();
  const variables = productionVariables(postgres.url);
  const on = { ...variables, RATE_LIMITS: 'on' };
  const urls = await startServices(['identity', 'webhooks'], processes, on);
  const others = await withAnother(urls, 'webhooks');
  await startServices(['webhooks'], processes, { ...variables, RATE_LIMITS: 'off' }, others);
  const fast = await makeClient(urls.identity, 'fast', OPERATOR, { rate_limits: NO_LIMIT });
  const counted = { http: new Pool(urls.webhooks, { connections: 64 }), token: fast };
  const free = { http: new Pool(others.webhooks, { connections: 64 }), token: fast };
  const cost = await measureCost(counted, free);
  const quiet = { ...counted, token: await makeClient(urls.identity, 'quiet', OPERATOR) };
  const token = await makeClient(urls.identity, 'flood', OPERATOR);
  const isolation = await measureIsolation(quiet, { url: urls.webhooks, path: LIST, token });
  await Promise.all([counted, free].map(({ http }) => http.close()));
  return { ...cost, ...isolation };
}

interface Caller {
  readonly http: Pool;
  readonly token: string;
}

async function ask({ http, token }: Caller): Promise<number> {
  const answer = await http.request({
    method: 'GET',
    path: LIST,
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** One request at a time, both in turn: the time of a request, and the part that counting takes. */
async function measureCost(counted: Caller, free: Caller): Promise<object> {
  const rounds: { readonly counted: LoadResult; readonly free: LoadResult }[] = [];
  const load = (caller: Caller) =>
    drive({
      clients: 1,
      total: REQUESTS,
      warmup: WARM_UP,
      request: async () => (await ask(caller)) === 200,
    });
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ free: await load(free), counted: await load(counted) });
  const microseconds = (one: LoadResult) => Math.round(1_000_000 / one.rps);
  const costs = rounds.map((one) => microseconds(one.counted) - microseconds(one.free));
  return {
    request_us: median(rounds.map((one) => microseconds(one.free))),
    counted_request_us: median(rounds.map((one) => microseconds(one.counted))),
    cost_us: median(costs),
  };
}

interface Isolation {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
}

/**
 * The quiet tenant by a fixed schedule, alone and beside the flood, in turn, so that other load on this machine affects both. The
 * times of all turns are combined, because a percentile of one turn depends on its few slowest requests.
 */
async function measureIsolation(
  quiet: Caller,
  flooding: Pick<FloodTerms, 'url' | 'path' | 'token'>,
): Promise<object> {
  await timesOf(quiet, WARM_UP_SECONDS);
  const statuses = new Map<number, number>();
  const turns: Isolation[] = [];
  let seconds = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await timesOf(quiet, SECONDS);
    const began = performance.now();
    const flooded = flood({ ...flooding, perSecond: FLOOD_RATE, seconds: SECONDS + 1 });
    const beside = await timesOf(quiet, SECONDS);
    for (const [status, count] of await flooded) statuses.set(status, (statuses.get(status) ?? 0) + count);
    seconds += (performance.now() - began) / 1000;
    turns.push({ alone, beside });
  }
  const [alone, beside] = [turns.flatMap((turn) => turn.alone), turns.flatMap((turn) => turn.beside)].map(
    quantiles,
  );
  return {
    alone_p99_ms: alone?.p99_ms,
    beside_flood_p99_ms: beside?.p99_ms,
    ratio: hundredths((beside?.p99_ms ?? NaN) / (alone?.p99_ms ?? NaN)),
    flood_ps: FLOOD_RATE,
    flood_let_in: statuses.get(200) ?? 0,
    flood_refused: statuses.get(429) ?? 0,
    // The bucket is full before each flood: it fills while the quiet one is alone.
    flood_allowed: Math.round(100 * (2 * ROUNDS + seconds)),
  };
}

/** Milliseconds of each. Throws when a request of it is refused. */
async function timesOf(caller: Caller, seconds: number): Promise<number[]> {
  const times: number[] = [];
  await atFixedRate(QUIET_RATE, seconds, async () => {
    const began = performance.now();
    const status = await ask(caller);
    if (status !== 200) throw new Error(`the quiet tenant was answered ${status}`);
    times.push(performance.now() - began);
  });
  return times;
}
