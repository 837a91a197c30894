import { Logger } from '@nestjs/common';
import { loggedError } from '../error-text.ts';
import { WakeUp } from '../wake-up.ts';
import type { AdminConnection } from './admin-connection.ts';
import { OnceAMinute } from './once-a-minute.ts';

/** Checks the broker periodically, so that the bus notices an outage even when it sends nothing. */
export class BrokerWatch {
  readonly #logger = new Logger(BrokerWatch.name);
  readonly #logged = new OnceAMinute();
  /** Stopping calls it too; a call while the loop is busy is not lost. */
  readonly #wakeUp = new WakeUp();
  #upSince: Date | null = null;
  #downSince: Date | null = null;
  #stopping = false;
  #loop: Promise<void>;

  /** @param everyMs wall milliseconds between two checks. */
  constructor(
    private readonly admin: AdminConnection,
    private readonly everyMs: number,
  ) {
    this.#loop = this.#run();
  }

  /** Wall time since which the broker answers; null while it does not, or before the first check. */
  get upSince(): Date | null {
    return this.#upSince;
  }

  /** Wall time since which it does not answer; null while it does. */
  get downSince(): Date | null {
    return this.#downSince;
  }

  /** Called when another connection has failed: checks immediately. */
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
    if (this.#logged.isDue('down'))
      this.#logger.warn({
        msg: 'the broker does not answer',
        since: this.#downSince.toISOString(),
        err: loggedError(error),
      });
  }
}
