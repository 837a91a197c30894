import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FaultSwitch } from './fault-switch.ts';
import { waitFor } from './wait-for.ts';

/** A start takes 2 s, and far longer where many start at once or the machine is busy. */
const START_LIMIT_MS = 180_000;

/** `NODE_COMPILE_CACHE`: Node keeps the compiled modules of a process that ends by itself for all later ones. */
export const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

export interface ChildOptions {
  /** The built file that `node` runs, absolute. */
  readonly main: string;
  /** Its command-line arguments. */
  readonly args?: readonly string[];
  /** Flags of `node` itself. */
  readonly flags?: readonly string[];
  /** Added to (and, when undefined, taken out of) this process's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Matches its output once it serves requests. */
  readonly ready: RegExp;
  /** Milliseconds until that output must appear; three minutes when left out. */
  readonly limitMs?: number;
  /** Arms the fault points of the code. */
  readonly faults?: FaultSwitch;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** More than one product has. A long run starts thousands. */
const REMEMBERED = 50;
/** The last that this process has started. */
const started: ChildService[] = [];

/** What its processes have logged about a request, one line each, for the message of a test that fails. */
export function loggedAbout(requestId: string): string[] {
  return started.flatMap(({ output }) => output.split('\n').filter((line) => line.includes(requestId)));
}

/** A service (or the standalone) as a process of its own, for tests that kill it. */
export class ChildService {
  /** Everything that it has written to both streams, in order. */
  output = '';
  readonly exited: Promise<Exit>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    started.push(this);
    if (started.length > REMEMBERED) started.shift();
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  /** Starts it without waiting: for starts that are expected to fail. */
  static spawn(options: ChildOptions): ChildService {
    const preload = fileURLToPath(new URL('./fault-points.preload.ts', import.meta.url));
    const flags = [...(options.flags ?? []), ...(options.faults ? ['--import', preload] : [])];
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_COMPILE_CACHE: COMPILED,
      ...(options.faults && { FAULT_FILE: options.faults.file }),
      ...options.env,
    };
    return new ChildService(
      spawn(process.execPath, [...flags, options.main, ...(options.args ?? [])], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Starts it and resolves when it serves. Throws an error with its output when it exits or does not get ready in time. */
  static async start(options: ChildOptions): Promise<ChildService> {
    const service = ChildService.spawn(options);
    try {
      await waitFor(() => options.ready.test(service.output) || service.hasExited, {
        limitMs: options.limitMs ?? START_LIMIT_MS,
        what: String(options.ready),
      });
      if (service.hasExited) throw new Error('the process ended before it was ready');
    } catch (error) {
      await service.kill();
      throw new Error(`${options.main} did not start:\n${service.output.slice(-4000)}`, { cause: error });
    }
    return service;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process was never started');
    return this.child.pid;
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Sends a signal and resolves with how the process ended. */
  async end(signal: NodeJS.Signals): Promise<Exit> {
    if (!this.hasExited) this.child.kill(signal);
    return this.exited;
  }

  /** `kill -9`. */
  kill(): Promise<Exit> {
    return this.end('SIGKILL');
  }

  /** Continues a call that a fault point has stalled. */
  resume(): void {
    this.child.kill('SIGUSR2');
  }
}
