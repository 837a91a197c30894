import { Logger } from '@nestjs/common';
import { loggedError } from '../error-text.ts';
import { WakeUp } from '../wake-up.ts';
import type { AdminConnection } from './admin-connection.ts';
import { OnceAMinute } from './once-a-minute.ts';

/** Asks the broker for a sign of life now and then, so that the bus knows of an outage although nothing is sent. */
export class BrokerWatch {
  readonly #logger = new Logger(BrokerWatch.name);
  readonly #told = new OnceAMinute();
  /** Stopping calls it too, and a call is remembered. */
  readonly #wakeUp = new WakeUp();
  #upSince: Date | null = null;
  #downSince: Date | null = null;
  #stopping = false;
  #loop: Promise<void>;

  /** @param everyMs wall milliseconds between two questions. */
  constructor(
    private readonly admin: AdminConnection,
    private readonly everyMs: number,
  ) {
    this.#loop = this.#run();
  }

  /** Since when the broker answers, in wall time; null while it does not, or has not been asked yet. */
  get upSince(): Date | null {
    return this.#upSince;
  }

  /** Since when it does not; null while it does. */
  get downSince(): Date | null {
    return this.#downSince;
  }

  /** Something went wrong on another connection: asks at once. */
  suspect(): void {
    this.#wakeUp.call();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp.call();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      await this.#look();
      await this.#wakeUp.wait(this.everyMs);
    }
  }

  async #look(): Promise<void> {
    const began = new Date();
    try {
      await this.admin.ask((admin) => admin.describeCluster());
      this.#noteUp();
    } catch (error) {
      if (!this.#stopping) this.#noteDown(began, error);
    }
  }

  #noteUp(): void {
    if (this.#downSince)
      this.#logger.log({ msg: 'the broker answers again', down_ms: Date.now() - this.#downSince.getTime() });
    this.#downSince = null;
    this.#upSince ??= new Date();
  }

  #noteDown(since: Date, error: unknown): void {
    this.#upSince = null;
    this.#downSince ??= since;
    if (this.#told.isDue('down'))
      this.#logger.warn({
        msg: 'the broker does not answer',
        since: this.#downSince.toISOString(),
        err: loggedError(error),
      });
  }
}
