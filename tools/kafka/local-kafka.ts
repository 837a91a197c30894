import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brokerAnswers } from './broker-answers.ts';
import { serverProperties } from './broker-settings.ts';
import { fetchJars, java, whatIsMissing } from './jars.ts';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 50;
/** Any fixed name: the folder is the cluster. */
const CLUSTER_ID = 'ZnVuZHJhaWwtbG9jYWwtaw';
/** Small, and quick to start. */
const JVM = [
  '-Xms128m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Djava.awt.headless=true',
];

interface LocalKafkaOptions {
  /** Where clients connect; the controller takes the port after it. Both on 127.0.0.1 only. */
  readonly port: number;
  /** Keeps the topics, the settings, the log and the process id of this broker; made when missing. */
  readonly directory: string;
}

/**
 * One Kafka broker without Docker: KRaft, a single node, from the jars that Maven brings. It outlives the process that
 * starts it; any process that knows its folder can stop it.
 */
export class LocalKafka {
  readonly port: number;
  readonly directory: string;

  constructor({ port, directory }: LocalKafkaOptions) {
    this.port = port;
    this.directory = resolve(directory);
  }

  get broker(): string {
    return `127.0.0.1:${this.port}`;
  }

  get log(): string {
    return join(this.directory, 'server.log');
  }

  /** Resolves when the broker answers. Throws a readable error when Java or Maven is missing, or the port is in use. */
  async start(): Promise<void> {
    if (this.pid() !== null) return this.#untilItAnswers();
    if (await brokerAnswers('127.0.0.1', this.port))
      throw new Error(`port ${this.port} is taken by another Kafka`);
    const missing = await whatIsMissing();
    if (missing) throw new Error(missing);
    const jars = await fetchJars();
    await mkdir(this.directory, { recursive: true });
    await writeFile(this.#settings, serverProperties(this.port, this.#data));
    await this.#format(jars);
    await this.#launch(jars);
    await this.#untilItAnswers();
  }

  /** Ends it after everything is written. Its topics stay. Does nothing when it is not running. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Kills it like a crash. Resolves when the process has ended. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Kills it without waiting, for a process that is about to exit. */
  killNow(): void {
    this.signal('SIGKILL');
  }

  /** Stops it, and removes its topics. */
  async wipe(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Sends a signal, when it runs: SIGSTOP makes it a broker that hangs, until SIGCONT. */
  signal(name: NodeJS.Signals): void {
    const pid = this.pid();
    if (pid !== null) process.kill(pid, name);
  }

  /** The process id, or null when it is not running. */
  pid(): number | null {
    const file = join(this.directory, 'pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    return pid > 0 && this.#isOurs(pid) ? pid : null;
  }

  get #settings(): string {
    return join(this.directory, 'server.properties');
  }

  get #data(): string {
    return join(this.directory, 'data');
  }

  /** After a crash of the machine another process may have the number. Without /proc, a live process must do. */
  #isOurs(pid: number): boolean {
    try {
      process.kill(pid, 0);
      if (!existsSync('/proc/self/cmdline')) return true;
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#settings);
    } catch {
      return false;
    }
  }

  async #format(jars: string): Promise<void> {
    if (existsSync(join(this.#data, 'meta.properties'))) return;
    const tool = ['kafka.tools.StorageTool', 'format', '-c', this.#settings, '-t', CLUSTER_ID];
    await promisify(execFile)(java(), [...JVM, '-cp', join(jars, '*'), ...tool]);
  }

  async #launch(jars: string): Promise<void> {
    const log = await open(this.log, 'w');
    try {
      const args = [...JVM, '-Dlog4j2.level=INFO', '-cp', join(jars, '*'), 'kafka.Kafka', this.#settings];
      const child = spawn(java(), args, { detached: true, stdio: ['ignore', log.fd, log.fd] });
      child.unref();
      await writeFile(join(this.directory, 'pid'), String(child.pid ?? 0));
    } finally {
      await log.close();
    }
  }

  async #untilItAnswers(): Promise<void> {
    const end = Date.now() + START_LIMIT_MS;
    while (Date.now() < end) {
      if (await brokerAnswers('127.0.0.1', this.port)) return;
      if (this.pid() === null) throw new Error(`Kafka ended while starting: ${await this.#lastWords()}`);
      await pause(LOOK_EVERY_MS);
    }
    throw new Error(
      `Kafka does not answer on ${this.broker} after ${START_LIMIT_MS / 1000} s, see ${this.log}`,
    );
  }

  async #lastWords(): Promise<string> {
    const lines = (await readFile(this.log, 'utf8')).trim().split('\n');
    return lines.findLast((line) => /ERROR|FATAL|Exception/.test(line)) ?? lines.at(-1) ?? '';
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const end = Date.now() + STOP_LIMIT_MS;
    const pid = this.pid();
    if (pid === null) return;
    process.kill(pid, signal);
    while (this.pid() === pid) {
      if (Date.now() > end) throw new Error(`Kafka (process ${pid}) does not end`);
      await pause(LOOK_EVERY_MS);
    }
    await rm(join(this.directory, 'pid'), { force: true });
  }
}
