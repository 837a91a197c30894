import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@fundrail/contracts';
import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import { sql, type Transactions } from '@fundrail/persistence';
import type { EventBus } from '../event-bus.port.ts';
import { EventStrategy } from '../event.strategy.ts';
import { messagingMigrationSql } from '../messaging.migration.ts';
import type { EventContext } from '../on-event.ts';
import { listParked, type ParkedEvent } from '../parked-events.ts';
import type { ReceivedEvent } from '../received-event.ts';
import { execute, PgTransactions } from './pg-transactions.ts';

/** The effects of consumers in these tests: one row per handled event. */
const effectsTableSql = `
CREATE TABLE effects (
  id bigserial PRIMARY KEY, consumer_group text NOT NULL, event_id text NOT NULL, aggregate_id text NOT NULL, sequence int NOT NULL
);`;

const ADD_EFFECT = sql(
  'effects.add',
  'INSERT INTO effects (consumer_group, event_id, aggregate_id, sequence) VALUES ($1, $2, $3, $4)',
);
const EFFECTS = sql(
  'effects.list',
  'SELECT sequence FROM effects WHERE consumer_group = $1 AND aggregate_id = $2 ORDER BY id',
);
const INBOX = sql('effects.inbox', 'SELECT event_id FROM inbox WHERE consumer_group = $1 AND event_id = $2');

/** Waits for a condition, in a stage's tests: fast machines need milliseconds, a Kafka rebalance seconds. */
export const eventually = <T>(condition: () => T | Promise<T>, what: string) =>
  waitFor(condition, { what, limitMs: 60_000, everyMs: 5 });

/** Starts a strategy as Nest does. */
function listening(strategy: EventStrategy): Promise<void> {
  return new Promise((resolve, reject) =>
    strategy.listen((error) => (error instanceof Error ? reject(error) : resolve())),
  );
}

const TEST = 'notification_webhook.test';

/** A consumer group on a stage. */
export class StageGroup {
  /** Attempts in the order in which they began, as `aggregate#sequence/attempt`. */
  readonly attempts: string[] = [];
  /** Runs after the effect is written, in its transaction. Throw to fail, wait to block. */
  then: (event: ReceivedEvent, context: EventContext) => Promise<void> | void = () => undefined;
  /** Whether events share transactions, and the handler takes all of one in one call; before `start`. */
  together = false;
  #strategy: EventStrategy | null = null;

  /** @param name the consumer group: two with the same name are two members of it. */
  constructor(
    private readonly db: PgTransactions,
    readonly name = `group_${randomUUID()}`,
  ) {}

  /** Subscribes. Five tries, a few milliseconds apart. */
  async start(bus: EventBus, transactions: Transactions = this.db): Promise<EventStrategy> {
    const strategy = new EventStrategy({
      group: this.name,
      bus,
      transactions,
      backOffMs: [1, 2, 3, 4],
      replayPollMs: 20,
    });
    if (this.together) strategy.addHandler(TEST, this.#handleAll, true, { together: TEST });
    else strategy.addHandler(TEST, this.#handle, true);
    await listening(strategy);
    this.#strategy = strategy;
    return strategy;
  }

  async stop(): Promise<void> {
    await this.#strategy?.close();
    this.#strategy = null;
  }

  /** Sequence numbers of the aggregate's events that had their effect, in the order of the effects. */
  async effects(aggregate: string): Promise<number[]> {
    const rows = await this.db.query<{ sequence: number }>(EFFECTS, [this.name, aggregate]);
    return rows.map((row) => row.sequence);
  }

  async isInInbox(event: EventEnvelope): Promise<boolean> {
    return (await this.db.query(INBOX, [this.name, event.id])).length > 0;
  }

  async parked(aggregate: string): Promise<ParkedEvent[]> {
    const all = await listParked(this.db);
    return all.filter((event) => event.consumer_group === this.name && event.aggregate_id === aggregate);
  }

  /** Waits until exactly that many of the aggregate's events had their effect. */
  async untilEffects(aggregate: string, count: number): Promise<void> {
    await eventually(async () => (await this.effects(aggregate)).length === count, `${count} effects`);
  }

  /** Waits until exactly that many of the aggregate's events are parked, and returns them. */
  untilParked(aggregate: string, count: number): Promise<ParkedEvent[]> {
    return eventually(async () => {
      const found = await this.parked(aggregate);
      return found.length === count ? found : null;
    }, `${count} parked events`);
  }

  readonly #handleAll = async (events: readonly ReceivedEvent[], context: EventContext): Promise<void> => {
    for (const event of events) await this.#handle(event, context);
  };

  readonly #handle = async (event: ReceivedEvent, context: EventContext): Promise<void> => {
    this.attempts.push(`${event.aggregate_id}#${event.sequence}/${context.attempt}`);
    await context.tx.query(ADD_EFFECT, [this.name, event.id, event.aggregate_id, event.sequence]);
    await this.then(event, context);
  };
}

/** A database with the tables of this library, and consumer groups on it. */
export class Stage {
  readonly #groups: StageGroup[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly db: PgTransactions,
  ) {}

  static async open(): Promise<Stage> {
    const database = await createTestDatabase();
    const db = new PgTransactions(database.url);
    await execute(db, messagingMigrationSql + effectsTableSql);
    return new Stage(database, db);
  }

  /** A consumer group that has not been started, or another member of the group with this name. */
  group(name?: string): StageGroup {
    const group = new StageGroup(this.db, name);
    this.#groups.push(group);
    return group;
  }

  async stopGroups(): Promise<void> {
    await Promise.all(this.#groups.splice(0).map((group) => group.stop()));
  }

  async close(): Promise<void> {
    await this.stopGroups();
    await this.db.end();
    await this.database.drop();
  }
}

/** A gate that blocks a handler. */
export class Gate {
  readonly #opened = Promise.withResolvers<undefined>();
  readonly #reached = Promise.withResolvers<undefined>();

  /** Resolves when a handler waits at the gate. */
  get reached(): Promise<unknown> {
    return this.#reached.promise;
  }

  async pass(): Promise<void> {
    this.#reached.resolve(undefined);
    await this.#opened.promise;
  }

  open(): void {
    this.#opened.resolve(undefined);
  }
}
