import type { EventEnvelope } from '@fundrail/contracts';
import { Logger } from '@nestjs/common';
import { InProcessBus } from './in-process-bus.ts';
import { placesOf } from './inbox.ts';
import { newTraceparent } from './trace-context.ts';
import { eventually, Stage, type StageGroup } from './testing/bus-stage.ts';
import { published } from './testing/bus-play.ts';
import { aggregateId, noticeEnvelope } from './testing/notices.ts';

const AGGREGATES = 40;

/** The aggregates in reverse order, the events of each in their own order. */
const backwards = (events: readonly EventEnvelope[]) =>
  events.toReversed().sort((one, other) => one.sequence - other.sequence);
const raise = (): never => {
  throw new Error('there is a bus for each member');
};

describe('a consumer that handles the events of a shared transaction', () => {
  let stage: Stage;
  let group: StageGroup;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    stage = await Stage.open();
  });
  beforeEach(() => {
    group = stage.group();
    group.together = true;
  });
  afterEach(() => stage.stopGroups());
  afterAll(async () => {
    await stage.close();
    Logger.overrideLogger(['error', 'warn']);
  });

  it('shares transactions, keeps the order of each aggregate, and isolates one that fails', async () => {
    // given
    const bus = new InProcessBus({ groups: [group.name] });
    const sick = aggregateId();
    const sound = Array.from({ length: AGGREGATES }, aggregateId);
    const transactions = new Set<unknown>();
    group.then = (event, { tx }) => {
      transactions.add(tx);
      if (event.aggregate_id === sick) throw new Error('never');
    };
    await group.start(bus);
    // when
    const all = [1, 2, 3].flatMap((sequence) => [sick, ...sound].map((id) => noticeEnvelope(id, sequence)));
    await published(bus.publish(all));
    // then
    for (const id of sound) expect(await group.effects(id)).toEqual([1, 2, 3]);
    expect(await group.effects(sick)).toEqual([]);
    expect(await group.parked(sick)).toMatchObject([
      { sequence: 1, status: 'failed', tries: 5 },
      { sequence: 2, status: 'behind' },
      { sequence: 3, status: 'behind' },
    ]);
    expect(transactions.size).toBeLessThan(AGGREGATES * 3);
  });

  it('handles events once when two members receive them at the same time', async () => {
    const other = stage.group(group.name);
    other.together = true;
    const buses = [new InProcessBus({ groups: [group.name] }), new InProcessBus({ groups: [group.name] })];
    await Promise.all([group, other].map((member, index) => member.start(buses[index] ?? raise())));
    const ids = Array.from({ length: AGGREGATES }, aggregateId);
    const all = [1, 2].flatMap((sequence) => ids.map((id) => noticeEnvelope(id, sequence)));
    await Promise.all(buses.map((bus, index) => published(bus.publish(index ? all : backwards(all)))));
    for (const id of ids) expect(await group.effects(id)).toEqual([1, 2]);
    expect(group.attempts.length + other.attempts.length).toBeLessThan(all.length * 2);
  });

  it('gives each event its own trace', async () => {
    const bus = new InProcessBus({ groups: [group.name] });
    const traces = new Map<string, string | null>();
    group.then = ({ id, traceparent }) => void traces.set(id, traceparent);
    await group.start(bus);
    const all = Array.from({ length: AGGREGATES }, () =>
      noticeEnvelope(aggregateId(), 1, { traceparent: newTraceparent() }),
    );
    await published(bus.publish(all));
    await eventually(() => traces.size === AGGREGATES, 'all events');
    for (const { id, traceparent } of all) expect(traces.get(id)).toBe(traceparent);
  });
});

describe('the inbox', () => {
  it('takes two events of an aggregate only one after the other', async () => {
    const stage = await Stage.open();
    const id = aggregateId();
    const both = [1, 2].map((sequence) => noticeEnvelope(id, sequence));
    const taken = stage.db.transaction((tx) => placesOf(tx, 'group', both));
    await expect(taken).rejects.toThrow('one after the other');
    await stage.close();
  });
});
