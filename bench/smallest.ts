import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Bench } from './benches.ts';
import { startKafka } from './lib/kafka.ts';
import { findFault } from './smallest-fault.ts';

/** Most of a run at the smallest size is waiting for processes to start, so a few run beside each other. */
const AT_ONCE = 2;
/** A benchmark that hangs fails; no figure is compared with anything. */
const LIMIT_MS = 300_000;
const LINES_OF_A_FAILURE = 20;

interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly fields: readonly string[];
}

/**
 * Runs each benchmark, with each of its options, at its smallest size, and prints one line for each: whether it ends and has its figures.
 * Answers the code to exit with.
 */
export async function runAllSmallest(benches: Readonly<Record<string, Bench>>): Promise<0 | 1> {
  const left = Object.entries(benches).flatMap(([name, bench]): Run[] => [
    { name, args: [], fields: bench.fields },
    ...Object.entries(bench.options ?? {}).map(([option, fields]) => ({ name, args: [option], fields })),
  ]);
  await using kafka = await startKafka();
  const brokers = kafka.connection.brokers.join(',');
  let failed = 0;
  const one = async () => {
    for (let run = left.shift(); run; run = left.shift()) if (!(await passes(run, brokers))) failed += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return failed === 0 ? 0 : 1;
}

async function passes({ name, args, fields }: Run, brokers: string): Promise<boolean> {
  const began = performance.now();
  const child = spawn(process.execPath, ['bench/main.ts', name, ...args], {
    // `create-payment` publishes only where it is asked to, and its ceiling has no such part.
    env: { ...process.env, KAFKA_BROKERS: name === 'create-payment' ? '' : brokers, BENCH_SMALLEST: 'yes' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  const limit = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)]);
  clearTimeout(limit);
  process.off('exit', endWithUs);
  const fault = code === 0 ? findFault(out, fields) : `ended with ${code ?? 'a signal'}`;
  const label = [name, ...args].join(' ');
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`bench ${label}: ${fault ?? 'ends and has its figures'} (${seconds} s)`);
  if (fault !== null)
    console.error(`${out}\n${err}`.trim().split('\n').slice(-LINES_OF_A_FAILURE).join('\n'));
  return fault === null;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
