import { FaultSwitch, waitFor, type Fault } from '@fundrail/testing';
import type { ApiClient } from '../api-client.ts';
import { StandaloneProcess } from '../standalone-process.ts';
import { TestIsOver } from './patient-client.ts';
import type { ProductDatabases } from './product-databases.ts';

/** A start takes 2 s on a machine with nothing else to do. */
const START_LIMIT_MS = 40_000;

/** The product as a process that is killed and started again on the same databases. */
export class MortalProduct {
  private readonly faults = new FaultSwitch();
  private process: StandaloneProcess | null = null;
  private running = Promise.withResolvers<ApiClient>();

  constructor(
    private readonly databases: ProductDatabases,
    private readonly env: Readonly<Record<string, string>> = {},
  ) {}

  /** A client of whichever process runs; waits for the next one while none does. Fails once the test is over. */
  client(): Promise<ApiClient> {
    return this.running.promise;
  }

  /** Everything that the present process has said. */
  get output(): string {
    return this.process?.child.output ?? '';
  }

  get pid(): number {
    return this.present.child.pid;
  }

  get isRunning(): boolean {
    return this.process?.child.hasExited === false;
  }

  /** Begins a start and does not wait for it. */
  spawn(): void {
    this.faults.disarm();
    const env = { LOG_LEVEL: 'warn', ...this.databases.env, ...this.env };
    this.process = StandaloneProcess.spawn({ dataDir: '/nowhere', env, faults: this.faults });
  }

  /** Waits until the spawned process serves, and lets clients have it. */
  async serves(): Promise<void> {
    const { present } = this;
    await waitFor(() => present.url !== '' || present.child.hasExited, {
      limitMs: START_LIMIT_MS,
      what: 'the product to serve',
    });
    if (present.url === '') throw new Error(`the product did not start:\n${this.output}`);
    this.running.resolve(await present.client());
  }

  async start(): Promise<void> {
    this.spawn();
    await this.serves();
  }

  /** Has the running process stopped at a fault point, when it next comes there. */
  arm(fault: Fault): void {
    this.faults.arm(fault);
  }

  /** Waits until the process is dead, by what was armed. */
  async untilDead(limitMs: number): Promise<void> {
    const { child } = this.present;
    await waitFor(() => child.hasExited, {
      limitMs,
      what: `the process to die;\n${this.output.slice(-2000)}`,
    });
    await this.buried();
  }

  async kill(): Promise<void> {
    await this.present.kill();
    await this.buried();
  }

  /** Waits until a call is held by a fault that was armed to stall. */
  async untilStalled(): Promise<void> {
    await waitFor(() => this.output.includes(': stall'), { what: 'the call to be held' });
  }

  resume(): void {
    this.faults.disarm();
    this.present.child.resume();
  }

  /** Ends the process as an operator does. Whoever waits for a next one is told that there is none. */
  async stop(): Promise<void> {
    await this.process?.stop();
    this.awaitNext();
    this.running.promise.catch(() => undefined);
    this.running.reject(new TestIsOver());
    this.faults.remove();
  }

  private get present(): StandaloneProcess {
    if (!this.process) throw new Error('the product was never started');
    return this.process;
  }

  private async buried(): Promise<void> {
    this.awaitNext();
    await this.databases.endLeases();
  }

  private awaitNext(): void {
    const next = Promise.withResolvers<ApiClient>();
    this.running.resolve(next.promise);
    this.running = next;
  }
}
