import { FaultSwitch, waitFor, type Fault } from '@fundrail/testing';
import type { ApiClient } from '../api-client.ts';
import { StandaloneProcess } from '../standalone-process.ts';
import { TestIsOver } from './patient-client.ts';
import type { ProductDatabases } from './product-databases.ts';

/** A start takes 2 s on a machine with nothing else to do. */
const START_LIMIT_MS = 120_000;

/** The product as a process that is killed and started again on the same databases. */
export class KillableProduct {
  private readonly faults = new FaultSwitch();
  private process: StandaloneProcess | null = null;
  /** The length of the output when the last fault was armed. */
  private armedAt = 0;
  private running = Promise.withResolvers<ApiClient>();

  constructor(
    private readonly databases: ProductDatabases,
    private readonly env: Readonly<Record<string, string>> = {},
  ) {}

  /** A client of the running process; waits for the next one while none runs. Fails once the test is over. */
  client(): Promise<ApiClient> {
    return this.running.promise;
  }

  /** The output of the current process. */
  get output(): string {
    return this.process?.child.output ?? '';
  }

  get pid(): number {
    return this.present.child.pid;
  }

  get isRunning(): boolean {
    return this.process?.child.hasExited === false;
  }

  /** Starts a process without waiting for it. */
  spawn(): void {
    this.faults.disarm();
    const env = { LOG_LEVEL: 'warn', ...this.databases.env, ...this.env };
    this.process = StandaloneProcess.spawn({ dataDir: '/nowhere', env, faults: this.faults });
  }

  /** Waits until the spawned process serves, and gives it to waiting clients. */
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

  /** Makes the running process stop at a fault point when it next reaches it. */
  arm(fault: Fault): void {
    this.armedAt = this.output.length;
    this.faults.arm(fault);
  }

  /** Waits until the armed fault has killed the process. */
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

  /** Waits until a fault that was armed to stall holds a call. */
  async untilStalled(): Promise<void> {
    await waitFor(() => this.output.includes(': stall', this.armedAt), { what: 'the call to be held' });
  }

  resume(): void {
    this.faults.disarm();
    this.present.child.resume();
  }

  /** Stops the process as an operator does. Clients that wait for the next one get an error. */
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
