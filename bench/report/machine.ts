import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

const LOOP_ROUNDS = 100_000_000;
const BYTES_PER_GB = 1024 ** 3;

/** The machine that a benchmark ran on, at the moment of its end. */
export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly memory_gb: number;
  readonly node: string;
  /** Runnable processes, mean of the last minute and of the last 15. */
  readonly load_1: number;
  readonly load_15: number;
  /** Processor milliseconds of an empty loop of 100 million rounds, which shows a slow moment of a shared machine. */
  readonly loop_ms: number;
  readonly day: string;
}

/** Describes this machine, and measures how fast it is at the moment. `now`: for the day (UTC). */
export function describeMachine(now: Date): Machine {
  const [load_1 = 0, , load_15 = 0] = loadavg().map((load) => Math.round(load * 10) / 10);
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    processors: availableParallelism(),
    memory_gb: Math.round(totalmem() / BYTES_PER_GB),
    node: process.version,
    load_1,
    load_15,
    loop_ms: loopMs(),
    day: now.toISOString().slice(0, 10),
  };
}

function loopMs(): number {
  const before = process.cpuUsage();
  // The sum is used, so that the compiler does not remove the loop.
  if (sumTo(LOOP_ROUNDS) === 1) throw new Error('the sum of the loop is known');
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}

/** As a 32 bit integer. */
function sumTo(rounds: number): number {
  let sum = 0;
  for (let round = 0; round < rounds; round += 1) sum = (sum + round) | 0;
  return sum;
}
