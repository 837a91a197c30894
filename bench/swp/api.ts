import { parseJson } from '@fundrail/contracts';
import { Pool } from 'undici';
import { atFixedRate } from '../lib/open-loop.ts';
import { planId } from './fill.ts';
import type { Kind } from './kinds.ts';

/** The replicas that are asked, and a client's token. */
export interface Api {
  readonly urls: readonly string[];
  readonly token: string;
  readonly kind: Kind;
}

const REQUESTS_PER_SECOND = 50;
/** Of ten requests eight read a plan, one lists, one skips a day far ahead of a plan drawn by chance, or lists what a purchase plan skips. */
const OF_TEN = { list: 8, skip: 9 };

/** Asks the replicas in turn, by a fixed schedule. Answers the milliseconds of each request. */
export async function askApi(
  api: Api,
  plans: number,
  seconds: number,
  isOver: () => boolean,
): Promise<number[]> {
  const pools = api.urls.map((url) => new Pool(url, { connections: 16, pipelining: 1 }));
  const times: number[] = [];
  await atFixedRate(
    REQUESTS_PER_SECOND,
    seconds,
    async (index) => {
      const pool = pools[index % pools.length];
      if (!pool) throw new Error('there is no replica');
      const began = performance.now();
      await request(pool, api, index, plans);
      times.push(performance.now() - began);
    },
    isOver,
  );
  await Promise.all(pools.map((pool) => pool.close()));
  return times;
}

async function request(pool: Pool, { token, kind }: Api, index: number, plans: number): Promise<void> {
  // A stride that has no divisor in common with the numbers that are asked for: no two requests meet one plan soon.
  const plan = `${kind.path}/${planId(1 + ((index * 7_919) % plans), kind)}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { statusCode, body } = await pool.request({ headers, ...whatOf(index, plan, kind) });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${plan}: ${statusCode} ${JSON.stringify(parseJson(text))}`);
}

function whatOf(index: number, plan: string, { kind, path }: Kind) {
  const turn = index % 10;
  if (turn === OF_TEN.list) return { method: 'GET', path: `${path}?limit=20` } as const;
  if (turn < OF_TEN.list) return { method: 'GET', path: plan } as const;
  // A purchase plan is not skipped where no installment comes.
  if (kind === 'purchase') return { method: 'GET', path: `${plan}/skip_instructions` } as const;
  const body = JSON.stringify({ from: '2099-01-01', to: '2099-01-01' });
  return { method: 'POST', path: `${plan}/skip_instructions`, body } as const;
}
