import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Consumer, EachBatchPayload, IMemberAssignment, KafkaMessage } from 'kafkajs';
import { loggedError } from '../error-text.ts';
import type { GroupSubscription } from '../event-bus.port.ts';
import type { AdminConnection } from './admin-connection.ts';
import { atMost } from './at-most.ts';
import { groupPositions } from './group-positions.ts';
import { heartbeatMs, kafkaClient, wireGroup, wireTopic, type KafkaConnection } from './kafka-connection.ts';
import { readMessage } from './kafka-message.ts';
import type { KeyLanes } from './key-lanes.ts';
import { PartitionWindow } from './partition-window.ts';

/** What a session needs from its group. */
export interface SessionOptions {
  readonly connection: KafkaConnection;
  readonly admin: AdminConnection;
  readonly subscription: GroupSubscription;
  /** Shared by the sessions of a group: work that an earlier session started goes first. */
  readonly lanes: KeyLanes;
  /** Events of a partition that may be taken and not yet committed. */
  readonly windowSize: number;
  /** Wall milliseconds between two commits. */
  readonly commitEveryMs: number;
  /** Called whenever the consumer makes progress. */
  onProgress(): void;
  onJoined(): void;
}

interface Holding {
  readonly topic: string;
  readonly partition: number;
  readonly window: PartitionWindow;
  isPaused: boolean;
}

const DEFAULT_SESSION_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_WAIT_MS = 250;
/** Large enough for batches, small enough to keep one per partition in memory. */
const FETCH_BYTES = 262_144;
/**
 * Wall milliseconds from a fetch with events to the next, which takes all that come meanwhile. A fetch costs both sides a part for each of
 * a hundred partitions, however few events there are. Events of one fetch may share transactions. The first after a pause does not wait.
 */
const GATHER_MS = 25;
/** All batches of a fetch are handed over at once: they wait together. */
const MOST_BATCHES = 128;
const RETRIES = 5;
const COMMIT_LIMIT_MS = 1_000;
/** Long enough for a consumer that is stopped while it joins to finish joining or to give up an unreachable broker. */
const LEAVE_LIMIT_MS = 4_000;
const ASK_AGAIN_MS = 200;

/**
 * One kafkajs consumer, from its joining to its crash or stop. It dispatches batches and never waits for them. So it keeps
 * fetching and sending heartbeats while an event takes long, and a key that fails or waits blocks no other. Fetching a partition
 * pauses when its window is full.
 *
 * After each join it starts again at the committed offsets: events that were taken and not started are dropped. Running ones
 * are finished; they are delivered again, and the inbox recognises them.
 */
export class GroupSession {
  readonly #logger = new Logger(GroupSession.name);
  readonly #consumer: Consumer;
  readonly #end = Promise.withResolvers<Error | null>();
  #started: Promise<void> = Promise.resolve();
  /** By topic and partition; a new map for each assignment. */
  #holdings = new Map<string, Holding>();
  #commitOffsets: EachBatchPayload['commitOffsetsIfNecessary'] | null = null;
  #gathering: Promise<void> | null = null;
  #commitTimer: NodeJS.Timeout | null = null;
  #committing: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor(private readonly options: SessionOptions) {
    const { connection, subscription } = options;
    const { sessionTimeoutMs = DEFAULT_SESSION_TIMEOUT_MS, maxWaitTimeMs = DEFAULT_MAX_WAIT_MS } = connection;
    this.#consumer = kafkaClient(connection, RETRIES).consumer({
      groupId: wireGroup(connection, subscription.group),
      sessionTimeout: sessionTimeoutMs,
      // Batches are never waited for, so a member that does not rejoin immediately is gone.
      rebalanceTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs(sessionTimeoutMs),
      maxWaitTimeInMs: maxWaitTimeMs,
      maxBytesPerPartition: FETCH_BYTES,
      allowAutoTopicCreation: false,
      // After a crash the group starts another session, whether the error is retriable or not: kafkajs restarts only for some.
      retry: {
        retries: RETRIES,
        initialRetryTime: 100,
        maxRetryTime: 1_000,
        restartOnFailure: () => Promise.resolve(false),
      },
    });
    this.#listen();
  }

  /** Joins and consumes. Resolves with the error that ended it, or null when it was stopped. */
  async run(): Promise<Error | null> {
    this.#started = this.#start();
    this.#started.catch((error: unknown) => this.#fail(error));
    return this.#end.promise;
  }

  /** Takes no more events, waits for running ones, commits, and leaves the group. */
  async stop(): Promise<void> {
    this.#isEnded = true;
    for (const holding of this.#holdings.values()) this.#pause(holding);
    await this.options.lanes.idle();
    await atMost(COMMIT_LIMIT_MS, this.#commit());
    await this.abandon();
    this.#end.resolve(null);
  }

  /** Commits what has been handled, without waiting for more. Gives up after a second, and never rejects. */
  commitNow(): Promise<void> {
    return atMost(COMMIT_LIMIT_MS, this.#commit());
  }

  /** Leaves without waiting: no event starts any more, running ones are finished. */
  async abandon(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#commitTimer ?? undefined);
    const disconnect = () => this.#consumer.disconnect().catch(() => undefined);
    // A consumer that is stopped while it joins continues to join, so it is stopped again afterwards.
    const again = this.#started.then(disconnect, disconnect);
    await atMost(LEAVE_LIMIT_MS, Promise.all([disconnect(), again]));
  }

  async #start(): Promise<void> {
    const { connection, subscription } = this.options;
    await this.#consumer.connect();
    const topics = subscription.topics.map((topic) => wireTopic(connection, topic));
    await this.#consumer.subscribe({ topics, fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: MOST_BATCHES,
      eachBatch: (payload) => this.#takeBatch(payload),
    });
  }

  #listen(): void {
    const { events } = this.#consumer;
    const onProgress = () => this.options.onProgress();
    this.#consumer.on(events.CRASH, ({ payload }) => this.#fail(payload.error));
    this.#consumer.on(events.GROUP_JOIN, ({ payload }) => this.#join(payload.memberAssignment));
    // Under the assignment that ends, so that the next holder of a partition repeats less.
    this.#consumer.on(events.REBALANCING, () => void this.#commit());
    for (const event of [events.FETCH_START, events.FETCH, events.HEARTBEAT])
      this.#consumer.on(event, onProgress);
  }

  #fail(error: unknown): void {
    this.#end.resolve(error instanceof Error ? error : new Error(String(error)));
  }

  /** Called by kafkajs when it joins, before it fetches: pauses the partitions until the start offsets are known. */
  #join(assignment: IMemberAssignment): void {
    const holdings = new Map<string, Holding>();
    this.#holdings = holdings;
    if (this.#isEnded) return;
    const assigned = Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions }));
    this.#consumer.pause(assigned);
    this.options.onJoined();
    const isCurrent = () => this.#holdings === holdings && !this.#isEnded;
    void this.#begin(assignment, holdings, isCurrent).then(
      () => isCurrent() && this.#unlessLeft(() => this.#consumer.resume(assigned)),
    );
  }

  /**
   * Opens a window at the committed offset of each partition. kafkajs also starts there. But after a change of leaders it may
   * still deliver messages fetched for an earlier assignment, and the window detects them by their offsets.
   */
  async #begin(
    assignment: IMemberAssignment,
    holdings: Map<string, Holding>,
    isCurrent: () => boolean,
  ): Promise<void> {
    const { connection, admin, subscription, windowSize } = this.options;
    while (isCurrent()) {
      try {
        const positions = await groupPositions(connection, admin, subscription.group, subscription.topics);
        for (const { topic, partition, position } of positions)
          if (assignment[topic]?.includes(partition)) {
            const window = new PartitionWindow(position, windowSize);
            holdings.set(`${topic}/${partition}`, { topic, partition, window, isPaused: false });
          }
        return;
      } catch (error) {
        this.#logger.debug({ msg: 'the offsets of a group are requested again', err: loggedError(error) });
        await pause(ASK_AGAIN_MS);
      }
    }
  }

  #takeBatch(payload: EachBatchPayload): Promise<void> {
    this.options.onProgress();
    this.#commitOffsets = (offsets) => payload.commitOffsetsIfNecessary(offsets);
    const { topic, partition, messages } = payload.batch;
    const holding = this.#holdings.get(`${topic}/${partition}`);
    if (!holding || holding.isPaused || payload.isStale()) return Promise.resolve();
    const taken = holding.window.take(
      messages.map((message) => ({ offset: Number(message.offset), message })),
    );
    if (taken) payload.resolveOffset(String(holding.window.next - 1));
    else this.#consumer.seek({ topic, partition, offset: String(holding.window.next) });
    for (const { offset, message } of taken ?? []) this.#handle(holding, offset, message);
    if (holding.window.isFull) this.#pause(holding);
    return this.#gather();
  }

  /** kafkajs fetches again when all batches of a fetch are done. */
  #gather(): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return (this.#gathering ??= pause(GATHER_MS).then(() => void (this.#gathering = null)));
  }

  #handle(holding: Holding, offset: number, message: KafkaMessage): void {
    const key = `${holding.topic}:${message.key?.toString() ?? holding.partition}`;
    const { topic, partition, window } = holding;
    const isHeld = () => !this.#isEnded && this.#holdings.get(`${topic}/${partition}`) === holding;
    const work = async () => {
      if (!isHeld()) return;
      await this.#deliver(holding, message);
      window.settle(offset);
      if (holding.isPaused && window.hasRoom && isHeld()) this.#resume(holding);
      this.#commitSoon();
    };
    this.options.lanes.run(key, work).catch((error: unknown) => {
      // Nothing of the key may follow an event that was not handled.
      this.#isEnded = true;
      this.#fail(error);
    });
  }

  #deliver({ topic, partition }: Holding, message: KafkaMessage): Promise<void> {
    const { connection, subscription } = this.options;
    const name = topic.slice(connection.prefix?.length ?? 0);
    const { event, unreadable } = readMessage({ topic: name, partition }, message);
    return event ? subscription.deliver(event) : subscription.refuse(unreadable);
  }

  #pause(holding: Holding): void {
    holding.isPaused = true;
    this.#unlessLeft(() => this.#consumer.pause([{ topic: holding.topic, partitions: [holding.partition] }]));
  }

  #resume(holding: Holding): void {
    holding.isPaused = false;
    this.#unlessLeft(() =>
      this.#consumer.resume([{ topic: holding.topic, partitions: [holding.partition] }]),
    );
  }

  /** A crashed consumer has left its group shortly before it reports the crash. It fetches nothing, and kafkajs refuses these calls. */
  #unlessLeft(call: () => void): void {
    try {
      call();
    } catch (error) {
      if (!(error instanceof Error && error.name === 'KafkaJSNonRetriableError')) throw error;
    }
  }

  #commitSoon(): void {
    this.#commitTimer ??= setTimeout(() => {
      this.#commitTimer = null;
      void this.#commit();
    }, this.options.commitEveryMs);
  }

  #commit(): Promise<void> {
    this.#committing = this.#committing.then(() => this.#commitAll());
    return this.#committing;
  }

  /**
   * Commits the handled prefix without gaps. Uses the batch's own function, because `consumer.commitOffsets` retries
   * automatically, perhaps under a later assignment. A failed commit is made up by the next one, or the events are handled again.
   */
  async #commitAll(): Promise<void> {
    const due = [...this.#holdings.values()].flatMap(({ topic, partition, window }) => {
      const offset = window.toCommit();
      return offset === null ? [] : [{ topic, partition, window, offset }];
    });
    if (due.length === 0 || !this.#commitOffsets) return;
    const topics = due.map(({ topic, partition, offset }) => ({
      topic,
      partitions: [{ partition, offset: String(offset) }],
    }));
    try {
      await this.#commitOffsets({ topics });
      for (const { window, offset } of due) window.committed(offset);
    } catch (error) {
      this.#logger.debug({ msg: 'offsets could not be committed', err: loggedError(error) });
      if (!this.#isEnded) this.#commitSoon();
    }
  }
}
