import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { isEventType, type EventEnvelope } from '@fundrail/contracts';
import type { Transactions, Tx } from '@fundrail/persistence';
import { loggedError } from './error-text.ts';
import type { UnreadableMessage } from './event-bus.port.ts';
import { processingOf } from './event-spans.ts';
import { passFaultPoint } from './fault-point.ts';
import { placesOf, type Place } from './inbox.ts';
import { isLostDatabase } from './lost-database.ts';
import type { EventContext } from './on-event.ts';
import { park, parkBehind, parkUnreadable } from './parked-events.ts';
import { readEvent, UnreadableEvent, type ReceivedEvent } from './received-event.ts';
import { Slots } from './slots.ts';
import { TransactionGroups } from './transaction-groups.ts';
import { inSpan, type SpanFacts, type Tracing } from './tracing.port.ts';

/** A consumer's method, called with one or more events of its types. */
export type EventHandler = (events: readonly ReceivedEvent[], context: EventContext) => Promise<void>;

interface EventConsumerOptions {
  /** The consumer group: the service's name. */
  readonly group: string;
  readonly transactions: Transactions;
  /** Called before each try with the event's business time, which the service must not be behind. */
  readonly catchUp: (time: Date) => Promise<void>;
  readonly handlers: ReadonlyMap<string, readonly EventHandler[]>;
  /** Types whose first tries share a transaction, and the method that takes all events of its types there in one call. */
  readonly together: ReadonlyMap<string, string>;
  /** Pauses between the tries, in wall milliseconds. The number of tries is one more. */
  readonly backOffMs: readonly number[];
  /** The most transactions of single events at the same time. */
  readonly concurrency: number;
  readonly tracing: Tracing;
}

/** Work that is retried until it is done or given up. */
interface Trial {
  /** The trace that it belongs to; null starts one. */
  readonly traceparent: string | null;
  /** The facts of its span. */
  readonly facts: () => SpanFacts;
  /** Its first try waits for others to share its transaction. */
  readonly together?: boolean;
  attempt(attempt: number): Promise<void>;
  giveUp(error: unknown, tries: number): Promise<void>;
}

/** The consumer is being stopped; unhandled events are delivered again after the next start. */
export class ConsumerStopped extends Error {}

const LONGEST_OUTAGE_PAUSE_MS = 5_000;
/** The span of parking a message that is not an event. */
const PARKING: SpanFacts = { name: 'park', kind: 'consumer', attributes: {} };
/** With this many events in a transaction, its round trips and commit cost little. Two at once, so that one group gathers while the other runs. */
const TOGETHER = { most: 64, atOnce: 2 };
/** As many events again wait, so that the next group is full when the previous one ends. */
const WAITING_TOGETHER = 2;

/**
 * Handles the events of one group, from any bus: inbox row and effect in one transaction, a few tries with back-off, then
 * parked with the error. A lost database is not an error of the event: the consumer waits for it without limit.
 */
export class EventConsumer {
  readonly #logger = new Logger(EventConsumer.name);
  readonly #slots: Slots;
  readonly #slotsTogether = new Slots(TOGETHER.most * TOGETHER.atOnce * WAITING_TOGETHER);
  readonly #groups: TransactionGroups<EventEnvelope>;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** The start times of the running transactions, oldest first. */
  readonly #transactions = new Set<Date>();
  #consumed = 0;
  #outages = 0;
  #outage: Promise<void> | null = null;

  constructor(private readonly options: EventConsumerOptions) {
    const { concurrency, transactions } = options;
    this.#slots = new Slots(concurrency);
    this.#groups = new TransactionGroups(transactions, TOGETHER, (tx, events) =>
      this.#receive(tx, events, 1),
    );
  }

  /** Resolves when the event's effect is committed, now or earlier, or the event is parked. Rejects only with `ConsumerStopped`. */
  async deliver(envelope: EventEnvelope): Promise<void> {
    const { handlers, together } = this.options;
    const isUnhandled = isEventType(envelope.type) && !handlers.has(envelope.type);
    if (isUnhandled) return;
    await this.settle({
      traceparent: envelope.traceparent,
      facts: () => processingOf(this.options.group, envelope),
      together: together.has(envelope.type),
      attempt: (attempt) => this.#take(envelope, attempt),
      giveUp: (error, tries) => this.#park(envelope, error, tries),
    });
  }

  /** Parks the message, because no retry can make it an event. Rejects only with `ConsumerStopped`. */
  async refuse(message: UnreadableMessage): Promise<void> {
    const { group, transactions } = this.options;
    const parkIt = async (): Promise<void> => {
      await transactions.transaction((tx) => parkUnreadable(tx, group, message));
    };
    await this.settle({ traceparent: null, facts: () => PARKING, attempt: parkIt, giveUp: parkIt });
    const { id, topic, aggregate_id, sequence, reason } = message;
    this.#logger.error({ msg: 'message parked', group, event_id: id, topic, aggregate_id, sequence, reason });
  }

  /** When the longest running transaction started; null when none runs. */
  busySince(): Date | null {
    const [oldest] = this.#transactions;
    return oldest ?? null;
  }

  /** Tries the work, within its trace, until it is done or given up. Waits through outages of the database. */
  async settle(trial: Trial): Promise<void> {
    const { traceparent, facts } = trial;
    const work = inSpan(this.options.tracing, traceparent, facts, async (span) => {
      const isParked = await this.#tryUntilSettled(trial);
      if (isParked) span?.set({ 'error.type': 'parked' });
    });
    this.#running.add(work);
    try {
      await work;
      await passFaultPoint('inbox.committed');
      this.#consumed += 1;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Calls the handlers one after the other in the transaction. All events have the same handlers. Throws `UnreadableEvent`. */
  async handle(tx: Tx, envelopes: readonly EventEnvelope[], attempt: number): Promise<void> {
    const events = envelopes.map(readEvent);
    const handlers = this.options.handlers.get(events[0]?.type ?? '') ?? [];
    for (const handler of handlers) await handler(events, { tx, attempt });
  }

  counts(): { readonly consumed: number; readonly in_flight: number } {
    return { consumed: this.#consumed, in_flight: this.#running.size };
  }

  /** Waits for running transactions to end, and gives up events that wait for their next try. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#running);
  }

  async #take(envelope: EventEnvelope, attempt: number): Promise<void> {
    const { together, transactions, catchUp } = this.options;
    await catchUp(new Date(envelope.occurred_at));
    return attempt === 1 && together.has(envelope.type)
      ? this.#groups.run(envelope)
      : transactions.transaction((tx) => this.#receive(tx, [envelope], attempt));
  }

  /** Inbox rows and effects of events of different aggregates. */
  async #receive(tx: Tx, events: readonly EventEnvelope[], attempt: number): Promise<void> {
    const { group, together } = this.options;
    const places = await placesOf(tx, group, events);
    const inPlace = (place: Place) => events.filter((_, index) => places[index] === place);
    for (const event of inPlace('behind')) await parkBehind(tx, group, event);
    for (const fresh of Map.groupBy(inPlace('fresh'), ({ type }) => together.get(type)).values())
      await this.handle(tx, fresh, attempt);
    await passFaultPoint('inbox.handled');
  }

  /** True when it was given up. */
  async #tryUntilSettled(trial: Trial): Promise<boolean> {
    const failure = await this.#tryOften(trial);
    if (failure) await this.#persist(() => trial.giveUp(failure.error, failure.tries));
    return failure !== null;
  }

  async #tryOften(trial: Trial): Promise<{ error: unknown; tries: number } | null> {
    const { backOffMs } = this.options;
    for (let tries = 1; ; tries += 1) {
      const slots = trial.together && tries === 1 ? this.#slotsTogether : this.#slots;
      const failure = await this.#attempt(() => trial.attempt(tries), slots);
      if (!failure) return null;
      const backOff = backOffMs[tries - 1];
      if (failure.error instanceof UnreadableEvent || backOff === undefined)
        return { error: failure.error, tries };
      await this.#pause(backOff);
    }
  }

  /** Returns the error of the work itself, if it has one. */
  async #attempt(work: () => Promise<void>, slots = this.#slots): Promise<{ error: unknown } | null> {
    for (;;) {
      try {
        await slots.run(async () => {
          this.#throwIfStopping();
          await this.#timed(work);
        });
        this.#outages = 0;
        return null;
      } catch (error) {
        if (error instanceof ConsumerStopped) throw error;
        if (!isLostDatabase(error)) return { error };
        await this.#waitOutOutage(error);
      }
    }
  }

  async #timed(work: () => Promise<void>): Promise<void> {
    const began = new Date();
    this.#transactions.add(began);
    try {
      await work();
    } finally {
      this.#transactions.delete(began);
    }
  }

  /** Parking is retried until it succeeds: without its row the event would be lost, or would silently block its key. */
  async #persist(work: () => Promise<void>): Promise<void> {
    for (let failure; (failure = await this.#attempt(work));) await this.#waitOutOutage(failure.error);
  }

  async #park(envelope: EventEnvelope, error: unknown, tries: number): Promise<void> {
    const { group, transactions } = this.options;
    await transactions.transaction((tx) => park(tx, group, envelope, { error, tries }));
    const { id, type, tenant, aggregate_id, sequence } = envelope;
    this.#logger.error({
      msg: 'event parked',
      group,
      event_id: id,
      type,
      tenant,
      aggregate_id,
      sequence,
      tries,
      err: loggedError(error),
    });
  }

  /** All deliveries share one pause, so an outage logs one line per pause and not one per event. */
  #waitOutOutage(error: unknown): Promise<void> {
    if (!this.#outage) {
      const ms = Math.min(LONGEST_OUTAGE_PAUSE_MS, 50 * 2 ** Math.min(this.#outages, 10));
      this.#outages += 1;
      this.#logger.warn({
        msg: 'events wait for the database',
        group: this.options.group,
        pause_ms: ms,
        err: loggedError(error),
      });
      this.#outage = this.#pause(ms).finally(() => (this.#outage = null));
    }
    return this.#outage;
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await pause(ms, undefined, { signal }).catch(() => this.#throwIfStopping());
    this.#throwIfStopping();
  }

  #throwIfStopping(): void {
    if (this.#stopping.signal.aborted)
      throw new ConsumerStopped(`the consumer of ${this.options.group} is being stopped`);
  }
}
