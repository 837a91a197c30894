import { Logger } from '@nestjs/common';
import type { EventEnvelope } from '@fundrail/contracts';
import { orderingKey, topicOf, type GroupSubscription } from './event-bus.port.ts';

// A group that does not subscribe blocks every event, so this is logged. Services start within a few seconds.
const PATIENCE_MS = 10_000;

/** The deliveries of the in-process bus to one group, from its subscription to its stop. Events of one key wait for each other. */
export class GroupLane {
  readonly #logger = new Logger(GroupLane.name);
  /** The last running event of each key. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #running = new Set<Promise<void>>();
  readonly #opened = Promise.withResolvers<undefined>();
  #subscription: GroupSubscription | null = null;
  #patience: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(readonly group: string) {}

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Whether the group has subscribed and not stopped. */
  get isOpen(): boolean {
    return this.#subscription !== null && !this.#stopped;
  }

  open(subscription: GroupSubscription): void {
    if (this.#subscription) throw new Error(`the group ${this.group} has subscribed already`);
    this.#subscription = subscription;
    clearTimeout(this.#patience ?? undefined);
    this.#opened.resolve(undefined);
  }

  /**
   * Resolves when the group has handled the event, or is not subscribed to its topic. Rejects when the group stops before that;
   * then all events that wait behind it with the same key reject too, so nothing overtakes it.
   */
  take(event: EventEnvelope): Promise<void> {
    if (!this.#subscription) this.#patience ??= this.#complainLater();
    const key = orderingKey(event);
    const turn = (this.#tails.get(key) ?? this.#opened.promise).then(() => this.#deliver(event));
    const forget = () => {
      if (this.#tails.get(key) === turn) this.#tails.delete(key);
    };
    this.#tails.set(key, turn);
    turn.then(forget, forget);
    return turn;
  }

  /** Starts no more deliveries, and resolves when the running ones have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#running);
  }

  #deliver(event: EventEnvelope): Promise<void> {
    if (this.#stopped || !this.#subscription)
      return Promise.reject(new Error(`the group ${this.group} has stopped`));
    if (!this.#subscription.topics.includes(topicOf(event.type))) return Promise.resolve();
    const delivery = this.#subscription.deliver(event);
    const end = () => this.#running.delete(delivery);
    this.#running.add(delivery);
    delivery.then(end, end);
    return delivery;
  }

  #complainLater(): NodeJS.Timeout {
    const complain = () =>
      this.#logger.warn({ msg: 'events wait for a group that has not subscribed', group: this.group });
    return setTimeout(complain, PATIENCE_MS).unref();
  }
}
