import { Logger } from '@nestjs/common';
import { setTimeout as rest } from 'node:timers/promises';
import type { Client } from 'pg';
import { sql, type Transactions } from '@fundrail/persistence';
import { loggedError } from './error-text.ts';
import type { EventBus } from './event-bus.port.ts';
import { publishInSpans } from './event-spans.ts';
import { passFaultPoint } from './fault-point.ts';
import { RelayConnection, type OutboxRow } from './relay-connection.ts';
import { RelayFlight } from './relay-flight.ts';
import { NO_TRACING, type Tracing } from './tracing.port.ts';
import { WakeUp } from './wake-up.ts';

export interface OutboxRelayOptions {
  /** Rows taken in one scan; 500. */
  readonly batchSize?: number;
  /** The most aggregates with events in flight or in a back-off; 1000. */
  readonly maxAggregates?: number;
  /**
   * Wall milliseconds between two scans without a commit in this process, and between two tries to become the leader; 50. Five times
   * that when no event has been found for 10 s.
   */
  readonly pollMs?: number;
  /** The same for a second after an event was found that another replica has committed; 10. */
  readonly busyPollMs?: number;
  /** Wall milliseconds from a scan that found events to the next, in which others are committed and these accepted; 5. None after a full batch. */
  readonly restMs?: number;
  /** How long `stop` waits for the events in flight; 3000 wall ms. */
  readonly drainMs?: number;
  /** Receives the spans of publishing; none are recorded by default. */
  readonly tracing?: Tracing;
}

export interface OutboxLag {
  /** Counted up to 10,000: an exact larger number is not needed. */
  readonly unpublished: number;
  /** The first of them in the order of publication. It changes while the relay makes progress. */
  readonly oldest_id: number | null;
  /** Wall milliseconds since the oldest unpublished event was written; 0 when there is none. */
  readonly oldest_ms: number;
}

const LAG = sql(
  'outbox.lag',
  `SELECT (SELECT count(*)::int FROM (SELECT FROM outbox WHERE published_at IS NULL LIMIT 10000) AS counted) AS unpublished,
     first.id AS oldest_id,
     greatest(0, coalesce(extract(epoch FROM clock_timestamp() - first.created_at) * 1000, 0))::float8 AS oldest_ms
   FROM (VALUES (1)) AS one
   LEFT JOIN LATERAL (SELECT id, created_at FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 1) AS first ON true`,
);

const DEFAULTS = {
  batchSize: 500,
  maxAggregates: 1_000,
  pollMs: 50,
  busyPollMs: 10,
  restMs: 5,
  drainMs: 3_000,
  tracing: NO_TRACING,
};
const BUSY_FOR_MS = 1_000;
/** An event of this process may be found this long before its commit has signalled. */
const SIGNAL_LATE_MS = 20;
const AWAKE_FOR_MS = 10_000;
const IDLE_POLLS = 5;
const LONGEST_RECONNECT_MS = 5_000;

/**
 * Publishes the outbox of one service (MSG-2). Only the leader of all replicas publishes: it holds an advisory lock with its own
 * connection. It scans unpublished rows in id order and keeps each aggregate's events in order even when one cannot be
 * published. It marks rows only when the bus has accepted them; so an event may be published twice, but is never lost. A commit
 * in this process wakes it; rows of other replicas are found by polling.
 */
export class OutboxRelay {
  readonly #logger = new Logger(OutboxRelay.name);
  readonly #options: Required<OutboxRelayOptions>;
  readonly #wakeUp = new WakeUp();
  readonly #flight = new RelayFlight(() => this.#wakeUp.call());
  #stopListening: (() => void) | null = null;
  #loop: Promise<void> | null = null;
  #stopping = false;
  #published = 0;
  #lastFound = 0;
  /** Whether a commit of this process has signalled since the last scan. */
  #isSignalled = false;
  /** When a scan found events without a signal: those of another replica, unless the signal still comes. */
  #foundUnsignalled: number | null = null;
  #lastOfOthers = 0;

  /**
   * @param transactions the service's database: its commits wake the relay.
   * @param connect opens the relay's own connection, which holds the leader's lock as long as it lives.
   */
  constructor(
    private readonly transactions: Transactions,
    private readonly connect: () => Promise<Client>,
    private readonly bus: EventBus,
    options: OutboxRelayOptions = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Starts to publish as soon as this relay is the leader. Returns immediately; retries while the database is not available. */
  start(): void {
    if (this.#loop) throw new Error('the relay has been started already');
    this.#stopListening = this.transactions.onSignal('outbox', () => this.#takeSignal());
    this.#loop = this.#run();
  }

  /** Stops publishing, waits for events in flight, and gives up the leadership. Events without an answer are published again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopListening?.();
    this.#wakeUp.call();
    await this.#loop;
  }

  /** The events that wait in the outbox. */
  async lag(): Promise<OutboxLag> {
    const [lag] = await this.transactions.query<OutboxLag>(LAG);
    return lag ?? { unpublished: 0, oldest_id: null, oldest_ms: 0 };
  }

  /** Events published since the start of the process, and those in flight: for `/internal/sandbox/quiet`. */
  counts(): { readonly published: number; readonly in_flight: number } {
    return { published: this.#published, in_flight: this.#flight.eventCount };
  }

  /** A signal may have come during a scan. */
  get #isSignalledNow(): boolean {
    return this.#isSignalled;
  }

  #takeSignal(): void {
    this.#isSignalled = true;
    this.#foundUnsignalled = null;
    this.#wakeUp.call();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopping;) {
      try {
        await this.#connected(() => (failures = 0));
      } catch (error) {
        const pause = Math.min(LONGEST_RECONNECT_MS, this.#options.pollMs * 2 ** Math.min(failures, 10));
        failures += 1;
        this.#logger.warn({
          msg: 'the relay has lost its database',
          pause_ms: pause,
          err: loggedError(error),
        });
        await this.#wakeUp.wait(pause);
      }
    }
  }

  async #connected(onLeader: () => void): Promise<void> {
    const connection = new RelayConnection(await this.connect(), () => this.#wakeUp.call());
    try {
      if (!(await this.#becomeLeader(connection))) return;
      onLeader();
      await this.#lead(connection);
    } finally {
      await connection.end();
    }
  }

  /** False when stopped before. */
  async #becomeLeader(connection: RelayConnection): Promise<boolean> {
    while (!this.#stopping) {
      if (await connection.tryToLead()) return true;
      await this.#wakeUp.wait(this.#options.pollMs);
    }
    return false;
  }

  async #lead(connection: RelayConnection): Promise<void> {
    while (!this.#stopping) {
      const found = await this.#publishSome(connection);
      const isMoreOld = await connection.deleteOldRows();
      if (found === 'full' || isMoreOld) continue;
      if (found === 'some') await rest(this.#options.restMs);
      await this.#wakeUp.wait(this.#pauseMs());
    }
    await this.#drain(connection);
  }

  /** Marks what the bus has accepted, and publishes more. After a full batch there may be more. */
  async #publishSome(connection: RelayConnection): Promise<'none' | 'some' | 'full'> {
    const { batchSize, maxAggregates } = this.#options;
    const accepted = this.#flight.toMark();
    const busy = this.#flight.busy(accepted);
    // An aggregate whose back-off has passed will be sent again and takes no place; otherwise an outage would block all places for good.
    const limit = Math.min(batchSize, maxAggregates - busy.length);
    if (limit <= 0) {
      await this.#mark(connection);
      return 'none';
    }
    // A marked event's aggregate may have further events, whose signal came before.
    const isExpected = this.#isSignalled || accepted.length > 0;
    this.#isSignalled = false;
    const rows = await this.#markAndScan(connection, accepted, busy, limit);
    if (rows.length === 0) return 'none';
    this.#lastFound = Date.now();
    if (!isExpected && !this.#isSignalledNow) this.#foundUnsignalled ??= this.#lastFound;
    this.#flight.follow(
      rows,
      publishInSpans(
        this.#options.tracing,
        this.bus,
        rows.map((row) => row.event),
      ),
    );
    return rows.length === limit ? 'full' : 'some';
  }

  /** A scan of an idle outbox takes a tenth of a millisecond, but it runs all day. */
  #pauseMs(): number {
    const { pollMs, busyPollMs } = this.#options;
    const now = Date.now();
    if (this.#foundUnsignalled !== null && now - this.#foundUnsignalled >= SIGNAL_LATE_MS) {
      this.#lastOfOthers = this.#foundUnsignalled;
      this.#foundUnsignalled = null;
    }
    if (this.#foundUnsignalled !== null || now - this.#lastOfOthers < BUSY_FOR_MS)
      return Math.min(busyPollMs, pollMs);
    return now - this.#lastFound < AWAKE_FOR_MS ? pollMs : IDLE_POLLS * pollMs;
  }

  async #markAndScan(
    connection: RelayConnection,
    accepted: readonly OutboxRow[],
    busy: readonly string[],
    limit: number,
  ): Promise<OutboxRow[]> {
    if (accepted.length === 0) return connection.scan(busy, limit);
    await passFaultPoint('outbox.published');
    const found = await connection.markAndScan(idsOf(accepted), busy, limit);
    this.#noteMarked(accepted);
    return found;
  }

  async #mark(connection: RelayConnection): Promise<void> {
    const rows = this.#flight.toMark();
    if (rows.length === 0) return;
    await passFaultPoint('outbox.published');
    await connection.mark(idsOf(rows));
    this.#noteMarked(rows);
  }

  #noteMarked(rows: readonly OutboxRow[]): void {
    this.#flight.marked(rows);
    this.#published += rows.length;
  }

  async #drain(connection: RelayConnection): Promise<void> {
    const end = Date.now() + this.#options.drainMs;
    for (;;) {
      await this.#mark(connection);
      const left = end - Date.now();
      if (this.#flight.eventCount === 0 || left <= 0) return;
      await this.#wakeUp.wait(left);
    }
  }
}

function idsOf(rows: readonly OutboxRow[]): string[] {
  return rows.map(({ id }) => id);
}
