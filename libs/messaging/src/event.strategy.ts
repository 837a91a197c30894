import { isEventType, type EventType } from '@fundrail/contracts';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom, throwError, type Observable } from 'rxjs';
import type { Transactions } from '@fundrail/persistence';
import { loggedError } from './error-text.ts';
import { topicOf, type EventBus, type Subscription } from './event-bus.port.ts';
import { ConsumerStopped, EventConsumer, type EventHandler } from './event-consumer.ts';
import { deleteOldInbox } from './inbox.ts';
import { isLostDatabase } from './lost-database.ts';
import type { EventContext, TakesTogether } from './on-event.ts';
import { ParkedReplay } from './parked-replay.ts';
import type { ReceivedEvent } from './received-event.ts';
import { Repeat } from './repeat.ts';
import { NO_TRACING, type Tracing } from './tracing.port.ts';

interface EventStrategyOptions {
  /** The consumer group: the service's name. */
  readonly group: string;
  /** Its name in `inbox` and `parked_events`, when that is another one. */
  readonly storedAs?: string;
  readonly bus: EventBus;
  readonly transactions: Transactions;
  /** Called before an event is handled, with its business time, which the service must not be behind. Does nothing by default. */
  readonly catchUp?: (time: Date) => Promise<void>;
  /** Pauses between the tries of an event, in wall milliseconds. Default [100, 500, 2000, 5000]: five tries. */
  readonly backOffMs?: readonly number[];
  /** Events handled at the same time, each in its own transaction; default 8. First tries of methods that take events together do not count. */
  readonly concurrency?: number;
  /** Wall milliseconds between two checks for parked events to replay; 1000. */
  readonly replayPollMs?: number;
  /** Receives the spans of consuming; none are recorded by default. */
  readonly tracing?: Tracing;
}

// Five tries in all (MSG-5): long enough for a restart of another service, short enough not to block a key for long.
const BACK_OFF_MS = [100, 500, 2_000, 5_000];
const HOUR_MS = 3_600_000;

/**
 * What the application's global exception filter must return for events: `if (host.getType() === 'rpc') return
 * rethrowEventError(error)`. Without it Nest replaces every error with "Internal server error".
 */
export function rethrowEventError(error: unknown): Observable<never> {
  return throwError(() => error);
}

/**
 * Nest's `@EventPattern` handlers over an `EventBus`: `app.connectMicroservice({ strategy }, { inheritAppConfig: true })`,
 * with a global filter that uses `rethrowEventError`. Several methods for one type run one after the other in the same
 * transaction. Also replays parked events and deletes old inbox rows.
 */
export class EventStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('fundrail-events');
  /** The consumer reports failures; Nest need not log them as unobserved. */
  override readonly propagatesEventHandlerErrors = true;

  readonly #handlers = new Map<string, EventHandler[]>();
  /** The types that are taken together, each with the name of its method. */
  readonly #together = new Map<string, string>();
  readonly #consumer: EventConsumer;
  readonly #chores: readonly Repeat[];
  #subscription: Subscription | null = null;
  #closed: Promise<void> | null = null;

  constructor(private readonly options: EventStrategyOptions) {
    super();
    const { storedAs: group = options.group, transactions } = options;
    const { backOffMs = BACK_OFF_MS, concurrency = 8, replayPollMs = 1_000 } = options;
    this.#consumer = new EventConsumer({
      group,
      transactions,
      catchUp: options.catchUp ?? (() => Promise.resolve()),
      backOffMs,
      concurrency,
      handlers: this.#handlers,
      together: this.#together,
      tracing: options.tracing ?? NO_TRACING,
    });
    const replay = new ParkedReplay({ group, transactions, consumer: this.#consumer });
    const logError = (error: unknown) => this.#logFailure(error);
    this.#chores = [
      new Repeat(replayPollMs, () => replay.runAll(), logError),
      // Also at the start: in processes that live less than an hour it would never run.
      new Repeat(HOUR_MS, () => deleteOldInbox(transactions), logError, 0),
    ];
  }

  /** Called by Nest for each method of each type. Throws when the type is not in the catalogue, or is taken together elsewhere. */
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler = false,
    extras: Partial<TakesTogether> = {},
  ): void {
    const type = String(pattern);
    if (!isEventHandler || !isEventType(type))
      throw new Error(`${type} is not an event type of the catalogue`);
    const others = this.#handlers.get(type) ?? [];
    const { together } = extras;
    if (this.#together.has(type) || (together !== undefined && others.length > 0))
      throw new Error(`${type} is taken together, by one method alone`);
    if (together !== undefined) this.#together.set(type, together);
    const handle = toEventHandler<ReceivedEvent | readonly ReceivedEvent[]>(callback);
    const each: EventHandler = async (events, context) => {
      for (const event of events) await handle(event, context);
    };
    this.#handlers.set(type, [...others, together === undefined ? each : handle]);
  }

  /** Called by Nest when the application starts its microservices: subscribes to the topics that have handlers. */
  listen(ready: (error?: unknown) => void): void {
    this.#subscribe().then(() => ready(), ready);
  }

  /**
   * Accepts no more events. Running transactions are finished; other events are delivered after the next start. A second call
   * returns the same promise: a service stops its consumers first, and Nest closes them again with the rest.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const chores = this.#chores.map((chore) => chore.stop());
    await Promise.all([this.#subscription?.stop(), this.#consumer.stop(), ...chores]);
  }

  override on(): never {
    throw new Error('the event strategy has no events of its own');
  }

  override unwrap<T>(): T {
    return this.options.bus as T;
  }

  /** Events consumed since the start of the process, and those being handled now: for `/internal/sandbox/quiet`. */
  counts(): { readonly consumed: number; readonly in_flight: number } {
    return this.#consumer.counts();
  }

  /** The event types that have a method. */
  get types(): readonly EventType[] {
    return [...this.#handlers.keys()].filter(isEventType);
  }

  async #subscribe(): Promise<void> {
    const { bus, group } = this.options;
    const topics = [...new Set([...this.#handlers.keys()].map(topicOf))];
    this.#subscription = await bus.subscribe({
      group,
      topics,
      deliver: (event) => this.#consumer.deliver(event),
      refuse: (message) => this.#consumer.refuse(message),
      busySince: () => this.#consumer.busySince(),
    });
    for (const chore of this.#chores) chore.start();
  }

  #logFailure(error: unknown): void {
    // The deliveries already report a lost database.
    if (error instanceof ConsumerStopped || isLostDatabase(error)) return;
    this.logger.error({
      msg: 'cleaning up the inbox failed',
      group: this.options.group,
      err: loggedError(error),
    });
  }
}

/** A method that throws does not reject: Nest returns an Observable that errors. */
function toEventHandler<Given>(
  callback: MessageHandler,
): (given: Given, context: EventContext) => Promise<void> {
  return async (given, context) => {
    const result: unknown = await callback(given, context);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  };
}
