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

/** A broker takes 1 MiB a partition and request by default (`max.message.bytes`), so no request is larger altogether. */
const MOST_BYTES = 700_000;
/** Headers and framing of one event are well below. */
const OVERHEAD_BYTES = 500;
const MOST_EVENTS = 1_000;
const RETRIES = 3;

/**
 * Sends events, one request a broker at a time: what comes in meanwhile goes with the next. So events leave in the order in
 * which they came, and a failure answers for everything behind it, too.
 *
 * After any failure the producer is thrown away, because of how kafkajs counts. It takes a batch's sequence numbers back when
 * the answer fails to come, although the broker may have written the batch. Sent again unchanged, the batch is known as a
 * duplicate: that is what idempotence is for. But another batch under the same numbers would be taken for that duplicate too,
 * and answered as written without being written. Under a new producer's id it is written; the first batch may then be in the
 * log twice, and the inbox absorbs it. The same way out serves for a sequence error, a producer id that the broker has
 * forgotten, and a fenced epoch.
 */
export class KafkaPublisher {
  readonly #logger = new Logger(KafkaPublisher.name);
  readonly #told = new OnceAMinute();
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

  /** Waits for what is on its way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#sending;
    const producer = this.#producer;
    this.#producer = null;
    await producer?.disconnect().catch(() => undefined);
  }

  async #sendAll(): Promise<void> {
    // What one caller hands over in several calls of the same turn goes together.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      const error = await this.#send(batch.map(({ event }) => event));
      for (const { settle } of batch) settle(error ? { published: false, error } : { published: true });
      if (error) this.#refuseBehind(batch, error);
    }
    // In the turn in which the queue was found empty: who hears of an outcome may publish before any promise of this ends.
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

  /** An event that is too large for the broker stops its aggregate; any other error tells of the broker, and stops all. */
  #refuseBehind(failed: readonly Waiting[], error: Error): void {
    const keys = new Set(failed.map(({ event }) => orderingKey(event)));
    const isBehind = ({ event }: Waiting) => !isTooLarge(error) || keys.has(orderingKey(event));
    const behind = this.#queue.filter(isBehind);
    this.#queue = this.#queue.filter((waiting) => !isBehind(waiting));
    for (const { settle } of behind) settle({ published: false, error });
  }

  async #send(events: readonly EventEnvelope[]): Promise<Error | null> {
    if (this.#closed) return new Error('the bus has been closed');
    const producer = (this.#producer ??= this.#newProducer());
    const sending = this.#sendWith(producer, events);
    try {
      await withinTime(sending, this.timeoutMs);
      return null;
    } catch (error) {
      this.#giveUp(producer, sending);
      this.#tell(error, events.length);
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
      // Murmur2 as Java's clients have it: every client of the cluster puts a key into the same partition.
      createPartitioner: Partitioners.DefaultPartitioner,
    });
  }

  /** A request that hangs makes a producer connect again even when it was told to disconnect, so it is told again at its end. */
  #giveUp(producer: Producer, sending: Promise<void>): void {
    this.#producer = null;
    const disconnect = () => producer.disconnect().catch(() => undefined);
    void disconnect();
    void sending.then(disconnect, disconnect);
  }

  #tell(error: unknown, count: number): void {
    const err = loggedError(error);
    if (this.#told.isDue(err.message))
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
