import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { sql } from './database.port.ts';
import { InProcessBus } from './in-process-bus.ts';
import { appendEvents } from './outbox.ts';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts';
import { RelayConnection } from './relay-connection.ts';
import { eventually, Gate, Stage } from './testing/bus-stage.ts';
import { NoticeBook } from './testing/notice-book.ts';
import { aggregateId, newNotice } from './testing/notices.ts';
import { execute } from './testing/pg-transactions.ts';
import { RecordingBus } from './testing/recording-bus.ts';

const UNPUBLISHED = sql(
  'test.unpublished',
  'SELECT sequence FROM outbox WHERE published_at IS NULL ORDER BY id',
);
const ROWS = sql('test.rows', 'SELECT event_id FROM outbox ORDER BY id');
// Who holds an advisory lock in this database is the leader.
const LEADERS = sql(
  'test.leaders',
  `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);
const TERMINATE = sql('test.terminate', 'SELECT pg_terminate_backend($1)');

describe('the relay', () => {
  let stage: Stage;
  let relays: OutboxRelay[] = [];
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    relays = [];
    await stage.close();
  });

  function startRelay(
    bus: InProcessBus | RecordingBus,
    options: OutboxRelayOptions & { connect?: () => Promise<Client> } = {},
  ): OutboxRelay {
    const { connect = stage.db.connect, ...rest } = options;
    const relay = new OutboxRelay(stage.db, connect, bus, { drainMs: 200, ...rest });
    relay.start();
    relays.push(relay);
    return relay;
  }

  async function append(aggregate: string, ...sequences: number[]): Promise<void> {
    await stage.db.transaction((tx) =>
      appendEvents(
        tx,
        sequences.map((sequence) => newNotice(aggregate, sequence)),
      ),
    );
  }

  async function unpublished(): Promise<number[]> {
    return (await stage.db.query<{ sequence: number }>(UNPUBLISHED)).map((row) => row.sequence);
  }

  async function killLeader(): Promise<boolean> {
    const [leader] = await stage.db.query<{ pid: number }>(LEADERS);
    if (leader) await stage.db.query(TERMINATE, [leader.pid]);
    return leader !== undefined;
  }

  it('publishes what was committed, as it was written, and marks it', async () => {
    const bus = new RecordingBus();
    const relay = startRelay(bus);
    const event = newNotice(aggregateId());

    await stage.db.transaction((tx) => appendEvents(tx, [event]));

    await eventually(async () => (await unpublished()).length === 0, 'the event to be marked');
    const { occurred_at, ...rest } = event;
    expect(bus.taken).toEqual([{ ...rest, occurred_at: expect.any(String) }]);
    expect(Date.parse(bus.taken[0]!.occurred_at)).toBe(occurred_at.getTime());
    expect(bus.taken[0]!.occurred_at).toMatch(/\+05:30$/);
    // It counts a moment after the mark can be seen.
    await eventually(() => relay.counts().published === 1, 'the event to be counted');
    expect(relay.counts()).toEqual({ published: 1, in_flight: 0 });
  });

  it('is kicked by a commit, and does not wait for its next look', async () => {
    const bus = new RecordingBus();
    startRelay(bus, { pollMs: 3_600_000 });
    await eventually(async () => (await stage.db.query(LEADERS)).length === 1, 'a leader');
    const aggregate = aggregateId();

    await append(aggregate, 1);

    await eventually(() => bus.taken.length === 1, 'the event');
  });

  it('finds what another process has written by polling', async () => {
    const bus = new RecordingBus();
    startRelay(bus);
    const aggregate = aggregateId();

    await appendEvents({ query: (statement, values) => stage.db.query(statement, values) }, [
      newNotice(aggregate),
    ]);

    await eventually(() => bus.taken.length === 1, 'the event');
  });

  it('tells how much waits, and for how long', async () => {
    const relay = new OutboxRelay(stage.db, stage.db.connect, new RecordingBus());
    expect(await relay.lag()).toEqual({ unpublished: 0, oldest_ms: 0 });

    await append(aggregateId(), 1, 2);
    await execute(
      stage.db,
      `UPDATE outbox SET created_at = now() - interval '90 seconds' WHERE sequence = 1`,
    );

    const lag = await relay.lag();
    expect(lag.unpublished).toBe(2);
    expect(lag.oldest_ms).toBeGreaterThanOrEqual(90_000);
  });

  it('stops at an event that cannot be published: its aggregate waits, others go on', async () => {
    const bus = new RecordingBus();
    const [sick, sound] = [aggregateId(), aggregateId()];
    let broken = true;
    bus.take = (event) => {
      if (broken && event.aggregate_id === sick && event.sequence === 2) throw new Error('refused');
    };
    startRelay(bus);

    await append(sick, 1, 2, 3);
    await append(sound, 1, 2);
    await append(sick, 4);

    await eventually(async () => (await unpublished()).join() === '2,3,4', 'only the sick aggregate to wait');
    expect(bus.sequences(sound)).toEqual([1, 2]);
    expect(bus.sequences(sick)).toEqual([1]);
    broken = false;
    await eventually(async () => (await unpublished()).length === 0, 'the rest');
    expect(bus.sequences(sick)).toEqual([1, 2, 3, 4]);
  });

  it('goes on after an outage in which more aggregates were refused than may be on their way', async () => {
    const bus = new RecordingBus();
    const aggregates = Array.from({ length: 7 }, aggregateId);
    let isDown = true;
    const refused = new Set<string>();
    bus.take = (event) => {
      if (!isDown) return;
      refused.add(event.aggregate_id);
      throw new Error('the broker does not answer');
    };
    for (const aggregate of aggregates) await append(aggregate, 1, 2);
    startRelay(bus, { maxAggregates: 3 });
    await eventually(() => refused.size >= 3, 'every place to be taken by a refused aggregate');

    isDown = false;

    await eventually(async () => (await unpublished()).length === 0, 'everything to be published');
    for (const aggregate of aggregates) expect(bus.sequences(aggregate)).toEqual([1, 2]);
  });

  it('waits, when it is stopped, for what is on its way, and marks it', async () => {
    const bus = new RecordingBus();
    const gate = new Gate();
    bus.take = () => gate.pass();
    const relay = startRelay(bus, { drainMs: 20_000 });
    await append(aggregateId(), 1);
    await gate.reached;

    const stopped = relay.stop();
    gate.open();
    await stopped;

    expect(await unpublished()).toEqual([]);
  });

  it('leaves unpublished, when it is stopped, what the bus does not answer for', async () => {
    const bus = new RecordingBus();
    const gate = new Gate();
    bus.take = () => gate.pass();
    const relay = startRelay(bus, { drainMs: 20 });
    const aggregate = aggregateId();
    await append(aggregate, 1);
    await gate.reached;

    await relay.stop();

    expect(await unpublished()).toEqual([1]);
    gate.open();
    await eventually(() => bus.taken.length === 1, 'the late answer');
    expect(await unpublished()).toEqual([1]);
  });

  it('waits for a database that is not there yet', async () => {
    const bus = new RecordingBus();
    let refusals = 3;
    const connect = () => {
      if (refusals === 0) return stage.db.connect();
      refusals -= 1;
      return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    };
    startRelay(bus, { connect });

    await append(aggregateId(), 1);

    await eventually(() => bus.taken.length === 1, 'the event');
  });

  it('has one leader, and another takes over when it dies: nothing is lost, no aggregate out of order', async () => {
    const group = stage.group();
    const bus = new InProcessBus({ groups: [group.name] });
    await group.start(bus);
    const aggregates = Array.from({ length: 5 }, aggregateId);
    const book = new NoticeBook(stage.db);
    await book.create(aggregates);
    startRelay(bus);
    startRelay(bus);

    // Four writers race for the same aggregates while the leader's connection is ended again and again.
    const writer = async () => {
      for (let step = 0; step < 15; step += 1) for (const aggregate of aggregates) await book.step(aggregate);
    };
    const writing = Promise.all([writer(), writer(), writer(), writer()]);
    let deaths = 0;
    const killing = (async () => {
      while (deaths < 6) {
        if (await killLeader()) deaths += 1;
        await eventually(async () => (await stage.db.query(LEADERS)).length === 1, 'the next leader');
      }
    })();
    await Promise.all([writing, killing]);

    await eventually(async () => (await unpublished()).length === 0, 'everything to be published');
    const expected = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const aggregate of aggregates) expect(await group.effects(aggregate)).toEqual(expected);
    expect(deaths).toBe(6);
  });

  it('never has two leaders', async () => {
    const bus = new RecordingBus();
    const [one, two] = [startRelay(bus), startRelay(bus)];
    await eventually(async () => (await stage.db.query(LEADERS)).length === 1, 'a leader');

    await append(aggregateId(), 1, 2, 3);
    await eventually(async () => (await unpublished()).length === 0, 'everything to be published');

    // Each event was taken once, so one relay only was at work.
    expect(bus.taken).toHaveLength(3);
    const published = () => one.counts().published + two.counts().published;
    await eventually(() => published() === 3, 'all of them to be counted');
    expect([one.counts().published, two.counts().published].sort()).toEqual([0, 3]);
  });

  it('publishes again what a crash left unmarked, and the inbox absorbs it', async () => {
    const group = stage.group();
    const inner = new InProcessBus({ groups: [group.name] });
    await group.start(inner);
    const aggregate = aggregateId();
    const bus = new RecordingBus();
    bus.take = async (event) => {
      const [outcome] = await Promise.all(inner.publish([event]));
      if (!outcome?.published) throw new Error('not published');
      // The event has had its effect; the leader dies before it can mark the row.
      if (bus.taken.length === 0) await killLeader();
    };
    let connections = 0;
    const connectOnce = () =>
      connections++ === 0 ? stage.db.connect() : Promise.reject(new Error('this process is dead'));
    startRelay(bus, { connect: connectOnce });
    await eventually(async () => (await stage.db.query(LEADERS)).length === 1, 'the first leader');
    startRelay(bus);

    await append(aggregate, 1);

    await eventually(async () => (await unpublished()).length === 0, 'the event to be marked');
    expect(bus.taken.map((event) => event.sequence)).toEqual([1, 1]);
    expect(await group.effects(aggregate)).toEqual([1]);
  });

  it('deletes what was published more than seven days ago, and nothing else', async () => {
    await append(aggregateId(), 1, 2, 3);
    await execute(
      stage.db,
      `UPDATE outbox SET created_at = now() - interval '9 days';
       UPDATE outbox SET published_at = now() - interval '8 days' WHERE sequence = 1;
       UPDATE outbox SET published_at = now() - interval '6 days' WHERE sequence = 2;`,
    );
    const connection = new RelayConnection(await stage.db.connect(), () => undefined);

    await connection.forgetOld();

    await connection.end();
    expect(await stage.db.query(ROWS)).toHaveLength(2);
    expect(await unpublished()).toEqual([3]);
  });
});
