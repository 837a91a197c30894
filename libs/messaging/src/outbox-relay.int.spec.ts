import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { appendEvents } from './outbox.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { eventually, Gate } from './testing/bus-stage.ts';
import { aggregateId, newNotice } from './testing/notices.ts';
import { execute } from './testing/pg-transactions.ts';
import { RecordingBus } from './testing/recording-bus.ts';
import { RelayStage } from './testing/relay-stage.ts';
import { WakeUp } from './wake-up.ts';

describe('the relay', () => {
  let stage: RelayStage;
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    stage = await RelayStage.open();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    return stage.close();
  });

  it('publishes what was committed, as it was written, and marks it (EVT-6)', async () => {
    const bus = new RecordingBus();
    const relay = stage.start(bus);
    const event = newNotice(aggregateId());

    await stage.db.transaction((tx) => appendEvents(tx, [event]));

    await stage.untilPublished('the event to be marked');
    const { occurred_at, ...rest } = event;
    expect(bus.taken).toEqual([{ ...rest, occurred_at: expect.any(String) }]);
    expect(Date.parse(bus.taken[0]!.occurred_at)).toBe(occurred_at.getTime());
    expect(bus.taken[0]!.occurred_at).toMatch(/\+05:30$/);
    // It counts shortly after the mark is visible.
    await eventually(() => relay.counts().published === 1, 'the event to be counted');
    expect(relay.counts()).toEqual({ published: 1, in_flight: 0 });
  });

  it('is woken by a commit, and does not wait for its next scan (MSG-7)', async () => {
    const bus = new RecordingBus();
    stage.start(bus, { pollMs: 3_600_000 });
    await stage.untilLed();
    const aggregate = aggregateId();

    await stage.append(aggregate, 1);

    await eventually(() => bus.taken.length === 1, 'the event');
  });

  it('finds events of another process by polling (MSG-7)', async () => {
    const bus = new RecordingBus();
    stage.start(bus);
    const aggregate = aggregateId();

    await appendEvents({ query: (statement, values) => stage.db.query(statement, values) }, [
      newNotice(aggregate),
    ]);

    await eventually(() => bus.taken.length === 1, 'the event');
  });

  it('scans less often the longer ago it has found an event', async () => {
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const waits = jest.spyOn(WakeUp.prototype, 'wait');
    /** Its pause before the next scan, `ms` after the event. */
    const pauseAfter = async (ms: number) => {
      const { length } = waits.mock.calls;
      now += ms;
      // The next call may be of a pause that it had decided before.
      await eventually(() => waits.mock.calls.length > length + 1, 'two scans');
      now -= ms;
      return waits.mock.lastCall?.[0];
    };
    stage.start(new RecordingBus(), { pollMs: 20, busyPollMs: 5 });
    await stage.untilLed();
    expect(await pauseAfter(0)).toBe(100);
    await stage.append(aggregateId(), 1);
    await stage.untilPublished();
    // Its commits wake it, so no scan has to look for the next.
    expect(await pauseAfter(500)).toBe(20);
    expect(await pauseAfter(9_999)).toBe(20);
    expect(await pauseAfter(10_000)).toBe(100);
    await appendEvents({ query: (statement, values) => stage.db.query(statement, values) }, [
      newNotice(aggregateId()),
    ]);
    await stage.untilPublished();
    expect(await pauseAfter(999)).toBe(5);
    expect(await pauseAfter(1_000)).toBe(20);
    expect(await pauseAfter(9_999)).toBe(20);
    expect(await pauseAfter(10_000)).toBe(100);
  });

  it('publishes together what is committed while it rests after a scan that found events', async () => {
    const bus = new RecordingBus();
    const batches = jest.spyOn(bus, 'publish');
    stage.start(bus, { restMs: 1_000 });
    await stage.untilLed();
    await stage.append(aggregateId(), 1);
    await eventually(() => bus.taken.length === 1, 'the first event, which does not wait');

    for (const aggregate of [aggregateId(), aggregateId()]) await stage.append(aggregate, 1);

    await stage.untilPublished();
    expect(batches.mock.calls.map(([events]) => events.length)).toEqual([1, 2]);
  });

  it('reports how many events wait, and for how long', async () => {
    const relay = new OutboxRelay(stage.db, stage.db.connect, new RecordingBus());
    expect(await relay.lag()).toEqual({ unpublished: 0, oldest_id: null, oldest_ms: 0 });

    await stage.append(aggregateId(), 1, 2);
    await execute(
      stage.db,
      `UPDATE outbox SET created_at = now() - interval '90 seconds' WHERE sequence = 1`,
    );

    const lag = await relay.lag();
    expect(lag.unpublished).toBe(2);
    expect(lag.oldest_ms).toBeGreaterThanOrEqual(90_000);
  });

  it('stops at an event that cannot be published: its aggregate waits, others continue', async () => {
    const bus = new RecordingBus();
    const [sick, sound] = [aggregateId(), aggregateId()];
    let broken = true;
    bus.take = (event) => {
      if (broken && event.aggregate_id === sick && event.sequence === 2) throw new Error('refused');
    };
    stage.start(bus);

    await stage.append(sick, 1, 2, 3);
    await stage.append(sound, 1, 2);
    await stage.append(sick, 4);

    await eventually(
      async () => (await stage.unpublished()).join() === '2,3,4',
      'only the sick aggregate to wait',
    );
    expect(bus.sequences(sound)).toEqual([1, 2]);
    expect(bus.sequences(sick)).toEqual([1]);
    broken = false;
    await stage.untilPublished('the rest');
    expect(bus.sequences(sick)).toEqual([1, 2, 3, 4]);
  });

  it('continues after an outage in which more aggregates were refused than may be in flight', async () => {
    const bus = new RecordingBus();
    const aggregates = Array.from({ length: 7 }, aggregateId);
    let isDown = true;
    const refused = new Set<string>();
    bus.take = (event) => {
      if (!isDown) return;
      refused.add(event.aggregate_id);
      throw new Error('the broker does not answer');
    };
    for (const aggregate of aggregates) await stage.append(aggregate, 1, 2);
    stage.start(bus, { maxAggregates: 3 });
    await eventually(() => refused.size >= 3, 'every place to be taken by a refused aggregate');

    isDown = false;

    await stage.untilPublished();
    for (const aggregate of aggregates) expect(bus.sequences(aggregate)).toEqual([1, 2]);
  });

  it('waits, when it is stopped, for the events in flight, and marks them', async () => {
    const bus = new RecordingBus();
    const gate = new Gate();
    bus.take = () => gate.pass();
    const relay = stage.start(bus, { drainMs: 20_000 });
    await stage.append(aggregateId(), 1);
    await gate.reached;

    const stopped = relay.stop();
    gate.open();
    await stopped;

    expect(await stage.unpublished()).toEqual([]);
  });

  it('does not mark events, when it is stopped, for which the bus has no answer', async () => {
    const bus = new RecordingBus();
    const gate = new Gate();
    bus.take = () => gate.pass();
    const relay = stage.start(bus, { drainMs: 20 });
    const aggregate = aggregateId();
    await stage.append(aggregate, 1);
    await gate.reached;

    await relay.stop();

    expect(await stage.unpublished()).toEqual([1]);
    gate.open();
    await eventually(() => bus.taken.length === 1, 'the late answer');
    expect(await stage.unpublished()).toEqual([1]);
  });

  it('waits for a database that is not available yet', async () => {
    const bus = new RecordingBus();
    let refusals = 3;
    const connect = () => {
      if (refusals === 0) return stage.db.connect();
      refusals -= 1;
      return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    };
    stage.start(bus, { connect });

    await stage.append(aggregateId(), 1);

    await eventually(() => bus.taken.length === 1, 'the event');
  });
});
