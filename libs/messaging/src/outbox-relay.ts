import type { Client } from 'pg';
import type { Transactions } from './database.port.ts';
import type { EventBus } from './event-bus.port.ts';

export interface OutboxRelayOptions {
  /** Rows looked at in one scan; 200. */
  readonly batchSize?: number;
  /** Wall milliseconds between two looks when nobody kicks; 50. */
  readonly pollMs?: number;
  /** How long `stop` waits for events that the bus has not answered for; 3000 ms. */
  readonly drainMs?: number;
}

export interface OutboxLag {
  readonly unpublished: number;
  /** Wall milliseconds since the oldest unpublished event was written; 0 when there is none. */
  readonly oldest_ms: number;
}

/** Publishes the outbox of one service; see architecture, rule 2. */
export class OutboxRelay {
  /**
   * @param transactions the service's database: its commits kick the relay.
   * @param connect opens a connection of the relay's own, already connected; it holds the leader's lock as long as it lives.
   */
  constructor(
    readonly transactions: Transactions,
    readonly connect: () => Promise<Client>,
    readonly bus: EventBus,
    readonly options: OutboxRelayOptions = {},
  ) {}

  /** Begins to publish as soon as this relay is the leader. Answers at once; a database that is not there is tried again. */
  start(): void {
    throw new Error('not built yet');
  }

  /** Publishes no more, waits for what is on its way, and gives up the leadership. */
  stop(): Promise<void> {
    throw new Error('not built yet');
  }

  lag(): Promise<OutboxLag> {
    throw new Error('not built yet');
  }

  /** Counts since the start of the process, for `/internal/sandbox/quiet`. */
  counts(): { readonly published: number; readonly in_flight: number } {
    throw new Error('not built yet');
  }
}
