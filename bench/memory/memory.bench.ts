import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMb } from '../lib/memory.ts';
import { IS_SMALLEST, size } from '../lib/size.ts';
import { startStandalone } from '../lib/standalone.ts';
import { slopeOf, type Sample } from './slope.ts';

const DEMO = 'apps/standalone/dist/demo/main.js';
/** A newcomer's first hour. */
const DEMOS_OF_A_START = 10;
const MINUTES = size(10, 0, 'BENCH_MINUTES');
/** A demo has all of its walks, the smallest one of them. */
const WALKS = IS_SMALLEST ? ['--flow', 'collect'] : [];
const LEAST_DEMOS = size(DEMOS_OF_A_START, 1);

/**
 * The memory of `npm start` without PostgreSQL while one demo after the other runs against it, each with all of its walks: after the
 * start, after ten demos, at the most, and how it grows per hour from then on. Its baseline is itself, when it has just started.
 */
export async function memoryBench(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'fundrail-bench-'));
  try {
    // The demos come faster than a person would start them, so the product must not refuse their requests.
    const product = await startStandalone(folder, { RATE_LIMITS: 'off' });
    const began = performance.now();
    const minutes = () => (performance.now() - began) / 60_000;
    const samples: Sample[] = [{ minutes: 0, mb: residentMb(product.pid) }];
    while (samples.length <= LEAST_DEMOS || minutes() < MINUTES) {
      await playDemo(product.url);
      samples.push({ minutes: minutes(), mb: residentMb(product.pid) });
    }
    await product.stop();
    return figuresOf(samples);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf(samples: readonly Sample[]): object {
  const at = (index: number) => Math.round(samples.at(Math.min(index, samples.length - 1))?.mb ?? 0);
  return {
    demos: samples.length - 1,
    start_mb: at(0),
    after_ten_mb: at(DEMOS_OF_A_START),
    peak_mb: Math.round(Math.max(...samples.map(({ mb }) => mb))),
    slope_mb_per_hour: Math.round(
      slopeOf(samples.slice(Math.min(DEMOS_OF_A_START, samples.length - 2))) * 60,
    ),
  };
}

async function playDemo(url: string): Promise<void> {
  const child = spawn(process.execPath, [DEMO, ...WALKS], {
    env: { ...process.env, BASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the demo ended with ${code ?? 'a signal'}`);
}
