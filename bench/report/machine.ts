import { createHash } from 'node:crypto';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

const HASHED_MB = 64;
const BYTES_PER_MB = 1024 ** 2;
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
  /** Processor milliseconds of the SHA-256 of 64 MB, which shows a slow moment of a shared machine. */
  readonly hash_ms: number;
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
    hash_ms: hashMs(),
    day: now.toISOString().slice(0, 10),
  };
}

/** Native code: how V8 has compiled a loop by then would make a factor of ten. */
function hashMs(): number {
  const bytes = Buffer.alloc(HASHED_MB * BYTES_PER_MB);
  const before = process.cpuUsage();
  createHash('sha256').update(bytes).digest();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}
