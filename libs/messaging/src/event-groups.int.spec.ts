import { Logger } from '@nestjs/common';
import { InProcessBus } from './in-process-bus.ts';
import { currentTraceparent, newTraceparent } from './trace-context.ts';
import { eventually, Stage, type StageGroup } from './testing/bus-stage.ts';
import { published } from './testing/bus-play.ts';
import { aggregateId, noticeEnvelope } from './testing/notices.ts';

const AGGREGATES = 40;

describe('a consumer that handles events in groups', () => {
  let stage: Stage;
  let group: StageGroup;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    stage = await Stage.open();
  });
  beforeEach(() => {
    group = stage.group();
    group.sizes = { most: 16, atOnce: 2 };
  });
  afterEach(() => stage.stopGroups());
  afterAll(async () => {
    await stage.close();
    Logger.overrideLogger(['error', 'warn']);
  });

  it('shares transactions, keeps the order of each aggregate, and lets none suffer for a sick one', async () => {
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

  it('gives each event its own trace', async () => {
    const bus = new InProcessBus({ groups: [group.name] });
    const traces = new Map<string, string | null>();
    group.then = ({ id }) => void traces.set(id, currentTraceparent());
    await group.start(bus);
    const all = Array.from({ length: AGGREGATES }, () =>
      noticeEnvelope(aggregateId(), 1, { traceparent: newTraceparent() }),
    );
    await published(bus.publish(all));
    await eventually(() => traces.size === AGGREGATES, 'all events');
    for (const { id, traceparent } of all) expect(traces.get(id)).toBe(traceparent);
  });
});
