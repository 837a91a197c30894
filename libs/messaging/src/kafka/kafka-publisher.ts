import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { EventEnvelope } from '@fundrail/contracts';
import { Partitioners, type Message, type Producer } from 'kafkajs';
import { loggedError } from '../error-text.ts';
import { orderingKey, topicOf, type PublishOutcome } from '../event-bus.port.ts';
import { kafkaClient, wireTopic, type KafkaConnection } from './kafka-connection.ts';
import { toMessage } from './kafka-message.ts';
import { OnceAMinute } from './once-a-minute.ts';

interface Waiting {
  readonly event: EventEnvelope;
  readonly settle: (outcome: PublishOutcome) => void;
}

/** By default a broker accepts 1 MiB per partition and request (`max.message.bytes`), so no request is larger in total. */
const MOST_BYTES = 700_000;
/** An upper bound for headers and framing of one event. */
const OVERHEAD_BYTES = 500;
const MOST_EVENTS = 1_000;
const RETRIES = 3;

/**
 * Sends events, one request per broker at a time; events that arrive meanwhile go into the next request. So events are sent in
 * the order of arrival, and after a failure everything behind it fails too.
 *
 * After any failure the producer is discarded, because of how kafkajs counts. When an answer is missing, kafkajs reuses the
 * batch's sequence numbers, although the broker may have written the batch. If the same batch is sent again, the broker
 * recognises the duplicate: that is what idempotence is for. But the broker would take another batch with the same numbers for
 * that duplicate too, and acknowledge it without writing it. With a new producer id it is written; the first batch may then be
 * in the log twice, and the inbox absorbs it. A new producer also solves a sequence error, a producer id that the broker has
 * dropped, and a fenced epoch.
 */
export class KafkaPublisher {
  readonly #logger = new Logger(KafkaPublisher.name);
  readonly #logged = new OnceAMinute();
  #queue: Waiting[] = [];
  #producer: Producer | null = null;
  #sending: Promise<void> | null = null;
  #closed = false;

  /**
   * @param timeoutMs wall milliseconds after which a request counts as failed.
   * @param onFailure called after each failed request.
   */
  constructor(
    private readonly connection: KafkaConnection,
    private readonly timeoutMs: number,
    private readonly onFailure: () => void,
  ) {}

  /** One outcome for each event; see `EventBus.publish`. */
  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    const outcomes = events.map((event) => {
      const { promise, resolve } = Promise.withResolvers<PublishOutcome>();
      this.#queue.push({ event, settle: resolve });
      return promise;
    });
    this.#sending ??= this.#sendAll();
    return outcomes;
  }

  /** Waits for the events being sent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#sending;
    const producer = this.#producer;
    this.#producer = null;
    await producer?.disconnect().catch(() => undefined);
  }

  async #sendAll(): Promise<void> {
    // Events of several calls in the same turn are sent together.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      const error = await this.#send(batch.map(({ event }) => event));
      for (const { settle } of batch) settle(error ? { published: false, error } : { published: true });
      if (error) this.#refuseBehind(batch, error);
    }
    // In the same turn that found the queue empty: a caller that gets an outcome may publish before a promise of this loop resolves.
    this.#sending = null;
  }

  #nextBatch(): Waiting[] {
    let bytes = 0;
    const end = this.#queue.findIndex(({ event }, index) => {
      bytes += Buffer.byteLength(event.data) + OVERHEAD_BYTES;
      return index > 0 && (bytes > MOST_BYTES || index >= MOST_EVENTS);
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  /** An event that is too large for the broker stops only its aggregate; any other error concerns the broker and stops all. */
  #refuseBehind(failed: readonly Waiting[], error: Error): void {
    const keys = new Set(failed.map(({ event }) => orderingKey(event)));
    const isBehind = ({ event }: Waiting) => !isTooLarge(error) || keys.has(orderingKey(event));
    const behind = this.#queue.filter(isBehind);
    this.#queue = this.#queue.filter((waiting) => !isBehind(waiting));
    for (const { settle } of behind) settle({ published: false, error });
  }

  async #send(events: readonly EventEnvelope[]): Promise<Error | null> {
    if (this.#closed) return new Error('the bus has been closed');
    try {
      // Creating a producer reads files, which may fail like a request.
      const producer = (this.#producer ??= this.#newProducer());
      const sending = this.#sendWith(producer, events);
      await withinTime(sending, this.timeoutMs).catch((error: unknown) => {
        this.#giveUp(producer, sending);
        throw error;
      });
      return null;
    } catch (error) {
      this.#logFailure(error, events.length);
      this.onFailure();
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #sendWith(producer: Producer, events: readonly EventEnvelope[]): Promise<void> {
    const topicMessages = [...Map.groupBy(events, ({ type }) => topicOf(type))].map(([topic, own]) => ({
      topic: wireTopic(this.connection, topic),
      messages: own.map((event): Message => toMessage(event)),
    }));
    await producer.connect();
    await producer.sendBatch({ acks: -1, timeout: this.timeoutMs, topicMessages });
  }

  #newProducer(): Producer {
    return kafkaClient(this.connection, RETRIES).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      // Murmur2 as in the Java clients, so that every client of the cluster puts a key into the same partition.
      createPartitioner: Partitioners.DefaultPartitioner,
    });
  }

  /** A hanging request makes a producer reconnect even after a disconnect, so it is disconnected again when the request ends. */
  #giveUp(producer: Producer, sending: Promise<void>): void {
    this.#producer = null;
    const disconnect = () => producer.disconnect().catch(() => undefined);
    void disconnect();
    void sending.then(disconnect, disconnect);
  }

  #logFailure(error: unknown, count: number): void {
    const err = loggedError(error);
    if (this.#logged.isDue(err.message))
      this.#logger.warn({ msg: 'events could not be published', count, err });
  }
}

function isTooLarge(error: Error): boolean {
  return /MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE/.test(String(Reflect.get(error, 'type')));
}

async function withinTime(work: Promise<void>, limitMs: number): Promise<void> {
  const over = new AbortController();
  const tooLate = pause(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the broker has not answered for ${limitMs} ms`);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    over.abort();
    tooLate.catch(() => undefined);
  }
}
