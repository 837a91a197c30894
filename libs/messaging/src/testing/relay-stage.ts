import type { Client } from 'pg';
import { sql } from '@fundrail/persistence';
import type { EventBus } from '../event-bus.port.ts';
import { appendEvents } from '../outbox.ts';
import { OutboxRelay, type OutboxRelayOptions } from '../outbox-relay.ts';
import { eventually, Stage } from './bus-stage.ts';
import { newNotice } from './notices.ts';

const UNPUBLISHED = sql(
  'test.unpublished',
  'SELECT sequence FROM outbox WHERE published_at IS NULL ORDER BY id',
);
// The session with an advisory lock in this database is the leader.
const LEADERS = sql(
  'test.leaders',
  `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);
const TERMINATE = sql('test.terminate', 'SELECT pg_terminate_backend($1)');

/** A fresh database with relays that compete for it. */
export class RelayStage {
  readonly #relays: OutboxRelay[] = [];

  private constructor(readonly bus: Stage) {}

  static async open(): Promise<RelayStage> {
    return new RelayStage(await Stage.open());
  }

  get db(): Stage['db'] {
    return this.bus.db;
  }

  start(bus: EventBus, options: OutboxRelayOptions & { connect?: () => Promise<Client> } = {}): OutboxRelay {
    const { connect = this.db.connect, ...rest } = options;
    const relay = new OutboxRelay(this.db, connect, bus, { drainMs: 200, ...rest });
    relay.start();
    this.#relays.push(relay);
    return relay;
  }

  /** Commits one notice for each sequence. */
  async append(aggregate: string, ...sequences: number[]): Promise<void> {
    const notices = sequences.map((sequence) => newNotice(aggregate, sequence));
    await this.db.transaction((tx) => appendEvents(tx, notices));
  }

  /** Sequences, in the order of their writing. */
  async unpublished(): Promise<number[]> {
    return (await this.db.query<{ sequence: number }>(UNPUBLISHED)).map((row) => row.sequence);
  }

  untilPublished(what = 'everything to be published'): Promise<unknown> {
    return eventually(async () => (await this.unpublished()).length === 0, what);
  }

  untilLed(what = 'a leader'): Promise<unknown> {
    return eventually(async () => (await this.db.query(LEADERS)).length === 1, what);
  }

  /** Ends the leader's connection; false when there is none. */
  async killLeader(): Promise<boolean> {
    const [leader] = await this.db.query<{ pid: number }>(LEADERS);
    if (leader) await this.db.query(TERMINATE, [leader.pid]);
    return leader !== undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#relays.map((relay) => relay.stop()));
    await this.bus.close();
  }
}
