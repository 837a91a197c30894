import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from './cpu-time.ts';

const START_LIMIT_MS = 60_000;

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What is run, and the name of its part. */
interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** Starts programs of the benchmark, each with its own address, and ends exactly those. */
export class Processes implements AsyncDisposable {
  readonly #children: ChildProcess[] = [];
  readonly #parts: Part[] = [];

  /** What was started, for `cpuTimes`. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** Starts a script of Node's, like `run`. */
  start(script: string, env: Readonly<Record<string, string>>, url: string): Promise<void> {
    return this.run({ name: script, file: process.execPath, args: [script] }, env, url);
  }

  /** Resolves when the program answers at `url`, with any status. Rejects when it ends or stays silent for 60 s. */
  async run(program: Program, env: Readonly<Record<string, string>>, url: string): Promise<void> {
    const { name, file, args } = program;
    const child = spawn(file, args, {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.push(child);
    process.once('exit', () => child.kill('SIGKILL'));
    if (child.pid) this.#parts.push({ name, pid: child.pid, withChildren: false });
    const end = performance.now() + START_LIMIT_MS;
    while (performance.now() < end) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
      if (await answers(url)) return;
      await pause(50);
    }
    throw new Error(`${name} did not answer at ${url}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([ended, pause(10_000).then(() => child.kill('SIGKILL'))]);
    }
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
