import { Logger } from '@nestjs/common';
import { loggedError } from '../error-text.ts';
import type { GroupSubscription, Subscription } from '../event-bus.port.ts';
import { WakeUp } from '../wake-up.ts';
import type { BrokerWatch } from './broker-watch.ts';
import { isFatal } from './fatal-error.ts';
import { GroupSession, type SessionOptions } from './group-session.ts';
import { KeyLanes } from './key-lanes.ts';
import { OnceAMinute } from './once-a-minute.ts';

interface KafkaGroupOptions extends Pick<
  SessionOptions,
  'connection' | 'admin' | 'windowSize' | 'commitEveryMs'
> {
  readonly subscription: GroupSubscription;
  readonly watch: BrokerWatch;
  /** After this time without progress the consumer counts as stuck while the broker answers, in wall milliseconds. */
  readonly stuckAfterMs: number;
  /** For how long one transaction of the consumer may run, in wall milliseconds. */
  readonly longestTransactionMs: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** After this many permanent failures, each within a minute, another start of the consumer does not help. */
const FATAL_CRASHES = 3;
const SOUND_AFTER_MS = 60_000;

/** A group's subscription on Kafka: one session after the other, until it is stopped. */
export class KafkaGroup implements Subscription {
  readonly #logger = new Logger(KafkaGroup.name);
  readonly #lanes = new KeyLanes();
  readonly #wakeUp = new WakeUp();
  readonly #logged = new OnceAMinute();
  readonly #loop: Promise<void>;
  #session: GroupSession | null = null;
  #joined = false;
  #lastProgress = Date.now();
  #crashes = 0;
  #fatalCrashes = 0;
  #lastError: unknown = null;
  #stopping = false;
  #stopped: Promise<void> | null = null;

  constructor(private readonly options: KafkaGroupOptions) {
    this.#loop = this.#run();
  }

  /** Whether the group has joined and not crashed since. */
  get isJoined(): boolean {
    return this.#joined;
  }

  get name(): string {
    return this.options.subscription.group;
  }

  get topics(): readonly string[] {
    return this.options.subscription.topics;
  }

  /** Commits what has been handled, without waiting for more. Never rejects. */
  async commitNow(): Promise<void> {
    await this.#session?.commitNow();
  }

  /** Why only a restart of the process helps, or null. */
  trouble(): string | null {
    if (this.#fatalCrashes > FATAL_CRASHES)
      return `the consumer of ${this.name} failed permanently: ${loggedError(this.#lastError).message}`;
    if (this.#isStuck()) return `the consumer of ${this.name} does nothing`;
    return this.#isBusyTooLong() ? `a transaction of ${this.name} does not end` : null;
  }

  /** A second call, as when both the subscription and its bus are closed, returns the same promise: kafkajs would throw. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#leave());
  }

  async #leave(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp.call();
    await this.#session?.stop();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const began = Date.now();
      const error = await this.#runSession();
      if (!error) return;
      this.#noteCrash(error, Date.now() - began);
      await this.#session?.abandon();
      await this.#wakeUp.wait(this.#pauseMs());
    }
  }

  /** Returns the error that ended the session or prevented its start; null when it was stopped. */
  async #runSession(): Promise<Error | null> {
    this.#session = null;
    try {
      const session = new GroupSession(this.#sessionOptions());
      this.#session = session;
      return await session.run();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #sessionOptions(): SessionOptions {
    const { connection, admin, subscription, windowSize, commitEveryMs } = this.options;
    return {
      connection,
      admin,
      subscription,
      windowSize,
      commitEveryMs,
      lanes: this.#lanes,
      onProgress: () => (this.#lastProgress = Date.now()),
      onJoined: () => this.#noteJoined(),
    };
  }

  #noteJoined(): void {
    this.#lastProgress = Date.now();
    this.#crashes = 0;
    if (!this.#joined) this.#logger.log({ msg: 'consumer has joined', group: this.name });
    this.#joined = true;
  }

  #noteCrash(error: Error, ranForMs: number): void {
    const { watch } = this.options;
    watch.suspect();
    this.#joined = false;
    this.#crashes += 1;
    this.#lastError = error;
    if (ranForMs > SOUND_AFTER_MS) this.#fatalCrashes = 0;
    if (isFatal(error)) this.#fatalCrashes += 1;
    const err = loggedError(error);
    if (this.#logged.isDue(err.message))
      this.#logger.warn({ msg: 'consumer crashed, and starts again', group: this.name, err });
  }

  #pauseMs(): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#crashes, 10));
  }

  /** A consumer is not stuck while the broker does not answer, or has only just answered again. */
  #isStuck(): boolean {
    const { watch, stuckAfterMs } = this.options;
    const since = Math.max(this.#lastProgress, watch.upSince?.getTime() ?? Infinity);
    return Date.now() - since > stuckAfterMs;
  }

  #isBusyTooLong(): boolean {
    const { subscription, longestTransactionMs } = this.options;
    const since = subscription.busySince();
    return since !== null && Date.now() - since.getTime() > longestTransactionMs;
  }
}
