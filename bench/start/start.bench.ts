import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from '../lib/median.ts';
import { residentMb } from '../lib/memory.ts';
import { size } from '../lib/size.ts';

const ROUNDS = size(5, 1, 'BENCH_ROUNDS');
/** As the script `start` of package.json runs it. */
const PROGRAM = ['--max-semi-space-size=4', 'apps/standalone/dist/main.js'];
/** A newcomer has none of these: everything is in the one process, on the PostgreSQL that comes with it. */
const NOT_SET = { DATABASE_URL: undefined, EVENT_BUS: undefined, KAFKA_BROKERS: undefined };
const READY = 'fundrail is ready on ';

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
  const began = performance.now();
  const child = spawn(process.execPath, PROGRAM, {
    env: { ...process.env, ...NOT_SET, PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  await isReady(child);
  const readyMs = performance.now() - began;
  const resident = residentMb(child.pid ?? 0);
  const asked = performance.now();
  child.kill('SIGTERM');
  await exited;
  process.off('exit', endWithUs);
  if (child.exitCode !== 0) throw new Error(`npm start ended with ${child.exitCode}`);
  return { readyMs, stopMs: performance.now() - asked, residentMb: resident };
}

async function isReady(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('the output of npm start is not read');
  const lines = createInterface(child.stdout);
  for await (const line of lines) if (line.startsWith(READY)) return;
  throw new Error('npm start ended before it was ready');
}
