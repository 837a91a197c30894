import type { Client } from 'pg';
import type { EventEnvelope } from '@fundrail/contracts';
import { execute, PgTransactions } from './testing/pg-transactions.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { outboxParameters, outboxValues, OUTBOX_COLUMNS } from './outbox.ts';
import { eventually, Gate, Stage } from './testing/bus-stage.ts';
import { NoticeBook } from './testing/notice-book.ts';
import { aggregateId, newNotice } from './testing/notices.ts';
import { RecordingBus } from './testing/recording-bus.ts';

/**
 * Why the outbox is built as it is (MSG-1, MSG-2). Runs each plausible way to read or write it with the interleaving that
 * breaks it, and then our way with the same interleaving.
 */
describe('why the outbox is built as it is', () => {
  let stage: Stage;
  let clients: Client[] = [];
  const relays: OutboxRelay[] = [];
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    await stage.close();
  });

  /** A session with an open transaction. */
  async function begin(): Promise<Client> {
    const client = await stage.db.connect();
    clients.push(client);
    await client.query('BEGIN');
    return client;
  }

  async function insert(client: Client, aggregate: string, sequence: number): Promise<void> {
    await client.query(
      `INSERT INTO outbox (${OUTBOX_COLUMNS}) VALUES (${outboxParameters(1)})`,
      outboxValues(newNotice(aggregate, sequence)),
    );
  }

  function startRelay(bus: RecordingBus): void {
    const relay = new OutboxRelay(stage.db, stage.db.connect, bus);
    relays.push(relay);
    relay.start();
  }

  /** The aggregate's events for a reader of the log in its order. */
  function sequencesOf(
    log: readonly Pick<EventEnvelope, 'aggregate_id' | 'sequence'>[],
    aggregate: string,
  ): number[] {
    return log.filter((event) => event.aggregate_id === aggregate).map((event) => event.sequence);
  }

  describe('"id > last seen" loses events', () => {
    it('never sees a transaction that started earlier and commits later', async () => {
      const poller = new WatermarkPoller(stage.db);
      const [slow, quick] = [aggregateId(), aggregateId()];

      const first = await begin();
      await insert(first, slow, 1);
      const second = await begin();
      await insert(second, quick, 1);
      await second.query('COMMIT');
      await poller.poll();
      await first.query('COMMIT');
      await poller.poll();

      expect(poller.seen).toEqual([quick]);
    });

    it('a scan of the unpublished rows sees it', async () => {
      const bus = new RecordingBus();
      startRelay(bus);
      const [slow, quick] = [aggregateId(), aggregateId()];

      const first = await begin();
      await insert(first, slow, 1);
      const second = await begin();
      await insert(second, quick, 1);
      await second.query('COMMIT');
      await eventually(() => bus.taken.length === 1, 'the quick one');
      await first.query('COMMIT');
      await eventually(() => bus.taken.length === 2, 'the slow one');

      expect(bus.taken.map((event) => event.aggregate_id)).toEqual([quick, slow]);
    });
  });

  describe('several SKIP LOCKED relays put an aggregate out of order', () => {
    const takeOne = `SELECT id::text, aggregate_id, sequence FROM outbox WHERE published_at IS NULL
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

    it('the relay with the later event may be faster', async () => {
      const aggregate = aggregateId();
      const writer = await begin();
      await insert(writer, aggregate, 1);
      await insert(writer, aggregate, 2);
      await writer.query('COMMIT');
      const log: EventEnvelope[] = [];

      const slow = await begin();
      const slowly = await slow.query<EventEnvelope>(takeOne);
      const quick = await begin();
      const quickly = await quick.query<EventEnvelope>(takeOne);
      log.push(...quickly.rows);
      await quick.query('COMMIT');
      log.push(...slowly.rows);
      await slow.query('COMMIT');

      expect(sequencesOf(log, aggregate)).toEqual([2, 1]);
    });

    it('one leader holds the later event back while the earlier one is in flight', async () => {
      const aggregate = aggregateId();
      const bus = new RecordingBus();
      const first = Promise.withResolvers<undefined>();
      // The earlier event is slow to be published, and the second relay is free to take the later one.
      bus.take = async (event) => {
        if (event.sequence === 1) await first.promise;
      };
      startRelay(bus);
      startRelay(bus);
      const writer = await begin();
      await insert(writer, aggregate, 1);
      await writer.query('COMMIT');
      const other = aggregateId();
      await stage.db.transaction(async (tx) => {
        const values = outboxValues(newNotice(aggregate, 2));
        const text = `INSERT INTO outbox (${OUTBOX_COLUMNS}) VALUES (${outboxParameters(1)})`;
        await tx.query({ name: 'test.insert', text }, values);
        await tx.query({ name: 'test.insert', text }, outboxValues(newNotice(other, 2)));
      });
      await eventually(() => bus.sequences(other).length === 1, 'another aggregate to overtake');
      first.resolve(undefined);

      await eventually(() => bus.sequences(aggregate).length === 2, 'both events');
      expect(sequencesOf(bus.taken, aggregate)).toEqual([1, 2]);
    });
  });

  describe('appending before the aggregate is locked puts it out of order', () => {
    const LOG = `CREATE TABLE log (id bigserial PRIMARY KEY, aggregate_id text, sequence int);
      CREATE TABLE aggregates (id text PRIMARY KEY, event_seq int NOT NULL);`;
    const append = `INSERT INTO log (aggregate_id) VALUES ($1) RETURNING id`;
    const lockAndCount = `UPDATE aggregates SET event_seq = event_seq + 1 WHERE id = $1 RETURNING event_seq`;
    const number = `UPDATE log SET sequence = $2 WHERE id = $1`;

    it('the first to append may get the lock second', async () => {
      const aggregate = aggregateId();
      await execute(stage.db, `${LOG} INSERT INTO aggregates VALUES ('${aggregate}', 0)`);
      const one = await begin();
      const two = await begin();

      const ofOne = await one.query<{ id: string }>(append, [aggregate]);
      const ofTwo = await two.query<{ id: string }>(append, [aggregate]);
      for (const [client, row] of [
        [two, ofTwo],
        [one, ofOne],
      ] as const) {
        const { rows } = await client.query<{ event_seq: number }>(lockAndCount, [aggregate]);
        await client.query(number, [row.rows[0]!.id, rows[0]!.event_seq]);
        await client.query('COMMIT');
      }

      const { rows } = await stage.db.pool.query<EventEnvelope>('SELECT * FROM log ORDER BY id');
      expect(sequencesOf(rows, aggregate)).toEqual([2, 1]);
    });

    it('with the lock first, the second waits before it can append', async () => {
      const aggregate = aggregateId();
      const book = new NoticeBook(stage.db);
      await book.create([aggregate]);
      const bus = new RecordingBus();
      startRelay(bus);
      const gate = new Gate();

      const one = stage.db.transaction(async (tx) => {
        await book.stepIn(tx, aggregate);
        await gate.pass();
      });
      await gate.reached;
      const two = book.step(aggregate);
      await eventually(() => somebodyWaitsForALock(stage.db), 'the second to wait for the lock');
      gate.open();
      await Promise.all([one, two]);

      await eventually(() => bus.taken.length === 2, 'both events');
      expect(sequencesOf(bus.taken, aggregate)).toEqual([1, 2]);
    });
  });
});

/** The relay of many systems: stores the greatest id it has seen. */
class WatermarkPoller {
  readonly seen: string[] = [];
  #last = '0';

  constructor(private readonly db: PgTransactions) {}

  async poll(): Promise<void> {
    const { rows } = await this.db.pool.query<{ id: string; aggregate_id: string }>(
      'SELECT id::text, aggregate_id FROM outbox WHERE id > $1 ORDER BY id',
      [this.#last],
    );
    this.seen.push(...rows.map((row) => row.aggregate_id));
    this.#last = rows.at(-1)?.id ?? this.#last;
  }
}

async function somebodyWaitsForALock(db: PgTransactions): Promise<boolean> {
  const { rows } = await db.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}
