import { Logger } from '@nestjs/common';
import { InProcessBus } from './in-process-bus.ts';
import { eventually } from './testing/bus-stage.ts';
import { NoticeBook } from './testing/notice-book.ts';
import { aggregateId } from './testing/notices.ts';
import { RecordingBus } from './testing/recording-bus.ts';
import { RelayStage } from './testing/relay-stage.ts';

describe('relays of one database', () => {
  let stage: RelayStage;
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    stage = await RelayStage.open();
  });
  afterEach(() => stage.close());

  it('has one leader, and another takes over when it dies: nothing is lost, no aggregate out of order', async () => {
    const group = stage.bus.group();
    const bus = new InProcessBus({ groups: [group.name] });
    await group.start(bus);
    const aggregates = Array.from({ length: 5 }, aggregateId);
    const book = new NoticeBook(stage.db);
    await book.create(aggregates);
    stage.start(bus);
    stage.start(bus);

    // Four writers race for the same aggregates while the leader's connection is ended again and again.
    const writer = async () => {
      for (let step = 0; step < 15; step += 1) for (const aggregate of aggregates) await book.step(aggregate);
    };
    const writing = Promise.all([writer(), writer(), writer(), writer()]);
    let deaths = 0;
    const killing = (async () => {
      while (deaths < 6) {
        if (await stage.killLeader()) deaths += 1;
        await stage.untilLed('the next leader');
      }
    })();
    await Promise.all([writing, killing]);

    await stage.untilPublished();
    const expected = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const aggregate of aggregates) expect(await group.effects(aggregate)).toEqual(expected);
    expect(deaths).toBe(6);
  });

  it('never has two leaders', async () => {
    const bus = new RecordingBus();
    const [one, two] = [stage.start(bus), stage.start(bus)];
    await stage.untilLed();

    await stage.append(aggregateId(), 1, 2, 3);
    await stage.untilPublished();

    // Each event was taken once, so only one relay was working.
    expect(bus.taken).toHaveLength(3);
    const published = () => one.counts().published + two.counts().published;
    await eventually(() => published() === 3, 'all of them to be counted');
    expect([one.counts().published, two.counts().published].sort()).toEqual([0, 3]);
  });

  it('publishes events again that a crash left unmarked, and the inbox absorbs them', async () => {
    const group = stage.bus.group();
    const inner = new InProcessBus({ groups: [group.name] });
    await group.start(inner);
    const aggregate = aggregateId();
    const bus = new RecordingBus();
    bus.take = async (event) => {
      const [outcome] = await Promise.all(inner.publish([event]));
      if (!outcome?.published) throw new Error('not published');
      // The event has had its effect; the leader dies before it can mark the row.
      if (bus.taken.length === 0) await stage.killLeader();
    };
    let connections = 0;
    const connectOnce = () =>
      connections++ === 0 ? stage.db.connect() : Promise.reject(new Error('this process is dead'));
    stage.start(bus, { connect: connectOnce });
    await stage.untilLed('the first leader');
    stage.start(bus);

    await stage.append(aggregate, 1);

    await stage.untilPublished('the event to be marked');
    expect(bus.taken.map((event) => event.sequence)).toEqual([1, 1]);
    expect(await group.effects(aggregate)).toEqual([1]);
  });
});
