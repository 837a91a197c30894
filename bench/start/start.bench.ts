import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../lib/median.ts';
import { residentMb } from '../lib/memory.ts';
import { size } from '../lib/size.ts';
import { startStandalone } from '../lib/standalone.ts';

const ROUNDS = size(5, 1, 'BENCH_ROUNDS');
/**
 * How long `npm start` takes until every service would answer, on an empty folder and on one that is there already, how long it takes to
 * stop, and the memory of its process (without PostgreSQL) when it is ready. Its baseline is itself: the first start makes the databases,
 * the later one does not.
 */
export async function startBench(): Promise<object> {
  const rounds: StartedTwice[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await startTwice());
  const of = (part: (round: StartedTwice) => number) => Math.round(median(rounds.map(part)));
  const figures = {
    first_ms: of(({ first }) => first.readyMs),
    later_ms: of(({ later }) => later.readyMs),
    stop_ms: of(({ later }) => later.stopMs),
    rss_mb: of(({ later }) => later.residentMb),
  };
  return { ...figures, later_of_first: Math.round((100 * figures.later_ms) / figures.first_ms) / 100 };
}

interface Life {
  readonly readyMs: number;
  readonly stopMs: number;
  readonly residentMb: number;
}

interface StartedTwice {
  readonly first: Life;
  readonly later: Life;
}

async function startTwice(): Promise<StartedTwice> {
  const folder = await mkdtemp(join(tmpdir(), 'fundrail-bench-'));
  try {
    return { first: await live(folder), later: await live(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function live(folder: string): Promise<Life> {
  const product = await startStandalone(folder);
  const resident = residentMb(product.pid);
  return { readyMs: product.readyMs, residentMb: resident, stopMs: await product.stop() };
}
