import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** As the script `start` of package.json runs it, with this variable. */
const PROGRAM = ['--max-semi-space-size=4', '--heap-growing-percent=40', 'apps/standalone/dist/main.js'];
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072' };
/** A newcomer has none of these: everything is in the one process, on the PostgreSQL that comes with it. */
const NOT_SET = { DATABASE_URL: undefined, EVENT_BUS: undefined, KAFKA_BROKERS: undefined };
const READY = 'fundrail is ready on ';

/** `npm start` in a process of its own. It ends with the benchmark. */
export interface Standalone {
  readonly url: string;
  readonly pid: number;
  /** Wall milliseconds from its start to the line that reports that it is ready. */
  readonly readyMs: number;
  /** Ends it as Ctrl-C does, and returns the wall milliseconds that it took. Throws when it does not exit with 0. */
  stop(): Promise<number>;
}

/** Starts it on that folder for its data. */
export async function startStandalone(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Standalone> {
  const began = performance.now();
  const child = spawn(process.execPath, PROGRAM, {
    env: { ...process.env, ...NOT_SET, ...ALLOCATOR, PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  const url = await readyAt(createInterface(child.stdout));
  const readyMs = performance.now() - began;
  child.stdout.resume();
  return {
    url,
    pid: child.pid ?? 0,
    readyMs,
    stop: async () => {
      const asked = performance.now();
      child.kill('SIGTERM');
      await exited;
      process.off('exit', endWithUs);
      if (child.exitCode !== 0) throw new Error(`npm start ended with ${child.exitCode}`);
      return performance.now() - asked;
    },
  };
}

async function readyAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line.startsWith(READY)) return line.slice(READY.length).trim();
  throw new Error('npm start ended before it was ready');
}
