import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { hundredths, median } from '../lib/median.ts';
import { makeInvestor, type Investor } from '../lib/investor.ts';
import { atFixedRate } from '../lib/open-loop.ts';
import { startPostgres } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { productionVariables } from '../lib/product.ts';
import { quantiles, type Quantiles } from '../lib/quantiles.ts';
import { startServices } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { startMoodyGateway, type MoodyGateway } from './moody-gateway.ts';

const ROUNDS = size(3, 1, 'BENCH_ROUNDS');
const SECONDS = size(15, 1, 'BENCH_SECONDS');
const WARM_UP_SECONDS = size(3, 1);
/** New purchases per second; each needs a review by the gateway. */
const ORDERS_RATE = 20;
/** Requests per second that do not need the gateway. */
const READS_RATE = 50;
/** After this time all calls to the silent gateway have ended, and its circuit is closed: calls end after 5 s (GATE-13). */
const CALM_MS = size(20_000, 0);

/**
 * Measures requests that do not need the gateway while purchases do: with a gateway that answers immediately, and with one that
 * accepts every call and never answers. Both by a fixed schedule, in turn.
 */
export async function degradedBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using processes = new Processes();
  await using gateway = await startMoodyGateway();
  const variables = { ...productionVariables(postgres.url), GATEWAYPOA_BASE_URL: gateway.url };
  const urls = await startServices(['identity', 'orders'], processes, variables);
  const http = new Pool(urls.orders, { connections: 64 });
  const caller = { http, investor: await makeInvestor(urls.identity, 'bench') };
  await round(caller, WARM_UP_SECONDS);
  const rounds = await inTurn(caller, gateway);
  await http.close();
  return report(rounds);
}

interface Caller {
  readonly http: Pool;
  readonly investor: Investor;
}

interface Round {
  readonly reads: Quantiles;
  readonly orders: Quantiles;
  readonly calls: number;
}

async function inTurn(caller: Caller, gateway: MoodyGateway): Promise<{ answers: Round; hangs: Round }[]> {
  const rounds: { answers: Round; hangs: Round }[] = [];
  const measured = async () => {
    const before = gateway.calls;
    return { ...(await round(caller, SECONDS)), calls: gateway.calls - before };
  };
  for (let number = 0; number < ROUNDS; number += 1) {
    const answers = await measured();
    gateway.hang(true);
    const hangs = await measured();
    gateway.hang(false);
    rounds.push({ answers, hangs });
    await pause(CALM_MS);
  }
  return rounds;
}

/** Purchases and reads beside each other, each by its schedule. */
async function round({ http, investor }: Caller, seconds: number): Promise<Omit<Round, 'calls'>> {
  const body = JSON.stringify({
    mf_investment_account: investor.account,
    scheme: 'INF209K01YN0',
    amount: 5000,
  });
  const headers = { authorization: `Bearer ${investor.token}`, 'content-type': 'application/json' };
  const [orders, reads] = await Promise.all([
    times(ORDERS_RATE, seconds, () =>
      http.request({ method: 'POST', path: '/v2/mf_purchases', headers, body }),
    ),
    times(READS_RATE, seconds, () =>
      http.request({ method: 'GET', path: '/v2/mf_purchases?limit=1', headers }),
    ),
  ]);
  return { orders, reads };
}

/** Rejects when one of them is not answered with success. */
async function times(
  perSecond: number,
  seconds: number,
  ask: () => Promise<Dispatcher.ResponseData>,
): Promise<Quantiles> {
  const taken: number[] = [];
  await atFixedRate(perSecond, seconds, async () => {
    const began = performance.now();
    const answer = await ask();
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${text}`);
    taken.push(performance.now() - began);
  });
  return quantiles(taken);
}

function report(rounds: readonly { readonly answers: Round; readonly hangs: Round }[]): object {
  const of = (mood: 'answers' | 'hangs', what: 'reads' | 'orders') =>
    median(rounds.map((one) => one[mood][what].p99_ms));
  const ratio = (what: 'reads' | 'orders') =>
    median(rounds.map(({ answers, hangs }) => hangs[what].p99_ms / answers[what].p99_ms));
  return {
    reads_p99_ms: of('answers', 'reads'),
    reads_p99_hanging_ms: of('hangs', 'reads'),
    reads_ratio: hundredths(ratio('reads')),
    orders_p99_ms: of('answers', 'orders'),
    orders_p99_hanging_ms: of('hangs', 'orders'),
    orders_ratio: hundredths(ratio('orders')),
    calls_when_hanging: rounds.map(({ hangs }) => hangs.calls),
  };
}
