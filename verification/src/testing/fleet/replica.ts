import type { ServiceName } from '@fundrail/contracts';
import { ChildService, waitFor, type Exit } from '@fundrail/testing';
import { fileURLToPath } from 'node:url';

/** A start takes 2 s of processor time; many start at the same time, on busy machines. */
const START_LIMIT_MS = 180_000;
/** The service itself cuts its stop short after 9 s (OPS-4). */
const STOP_LIMIT_MS = 15_000;
/** A young generation that stays small: a fleet is ten processes on one machine. */
const FLAGS = ['--max-semi-space-size=4'];

type Variables = Readonly<Record<string, string | undefined>>;

/** One process of the built service. It can be killed, paused, stopped and restarted, always with the same variables. */
export class Replica {
  #child: ChildService | null = null;
  #url: string | null = null;
  #exit: Exit | null = null;

  constructor(
    readonly service: ServiceName,
    readonly index: number,
    private readonly env: Variables,
    /** The port for health and metrics. Without it, health is on the port of its requests, and there are no metrics. */
    private readonly opsPort?: number,
  ) {}

  /** For messages: `payments-1`. */
  get name(): string {
    return `${this.service}-${this.index}`;
  }

  /** Its address; null while it starts and after its end. */
  get url(): string | null {
    return this.isRunning ? this.#url : null;
  }

  /** The address for operators; null like `url`. */
  get opsUrl(): string | null {
    return this.url === null ? null : this.#opsUrlBeside(this.url);
  }

  /** Whether there is a process, including one that is starting or stopping. */
  get isRunning(): boolean {
    return this.#child?.hasExited === false;
  }

  /** Whether the last process crashed: it was not killed, and its exit code is not 0. */
  get hasCrashed(): boolean {
    return !this.isRunning && this.#exit?.signal === null && this.#exit.code !== 0;
  }

  /** The output of the current process, or of the last one. */
  get output(): string {
    return this.#child?.output ?? '';
  }

  /** Starts the process and waits until it is ready, which includes the event bus. Throws with its output otherwise. */
  async start(): Promise<void> {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    this.#url = null;
    const ready = new RegExp(`^fundrail ${this.service} is ready on (\\S+)$`, 'm');
    const ops = this.opsPort === undefined ? {} : { OPS_PORT: String(this.opsPort) };
    // The same way from `src` and from `dist`.
    const main = fileURLToPath(new URL(`../../../../apps/${this.service}/dist/main.js`, import.meta.url));
    const child = ChildService.spawn({ main, flags: FLAGS, env: { ...this.env, ...ops }, ready });
    this.#child = child;
    this.#exit = null;
    void child.exited.then((exit) => this.#child === child && (this.#exit = exit));
    const hasCome = async () => {
      const url = ready.exec(child.output)?.[1];
      if (!child.hasExited && !(url && (await fetch(`${this.#opsUrlBeside(url)}/health/ready`)).ok))
        return false;
      this.#url = url ?? null;
      return true;
    };
    const limits = { limitMs: START_LIMIT_MS, everyMs: 50, what: `${this.name} to be ready` };
    await waitFor(hasCome, limits).catch((error: unknown) => this.#fail(error));
    if (child.hasExited) this.#fail(new Error(`${(await child.exited).code} ${this.output.slice(-300)}`));
  }

  /** `kill -9`. Ends a paused process as well. */
  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  /** SIGSTOP: the process keeps its connections and locks and does nothing. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    this.#signal('SIGCONT');
  }

  /** SIGTERM, as a rolling update ends it; null when nothing runs. Throws, and kills it, when it takes too long. */
  async stop(): Promise<Exit | null> {
    const child = this.#child;
    if (!child || child.hasExited) return null;
    const late = setTimeout(() => void child.kill(), STOP_LIMIT_MS);
    const exit = await child.end('SIGTERM').finally(() => clearTimeout(late));
    if (exit.signal === 'SIGKILL')
      throw new Error(`${this.name} did not stop in ${STOP_LIMIT_MS / 1000} s:\n${this.output.slice(-2000)}`);
    return exit;
  }

  /** Stops it, and starts a new process. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  #opsUrlBeside(url: string): string {
    return this.opsPort === undefined ? url : `http://127.0.0.1:${this.opsPort}`;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child?.hasExited === false) process.kill(this.#child.pid, signal);
  }

  #fail(cause: unknown): never {
    throw new Error(`${this.name} did not start:\n${this.output.slice(-4000)}`, { cause });
  }
}
