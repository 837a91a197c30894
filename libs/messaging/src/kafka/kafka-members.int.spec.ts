import { Partitioners } from 'kafkajs';
import { TOPICS } from '@fundrail/contracts';
import { describeWithKafka } from '@fundrail/testing';
import { sql } from '@fundrail/persistence';
import { events, published } from '../testing/bus-play.ts';
import { eventually, Gate, type StageGroup } from '../testing/bus-stage.ts';
import { KafkaStage, NOTICES } from '../testing/kafka-stage.ts';
import { aggregateId, noticeEnvelope } from '../testing/notices.ts';

const WAITING = sql('test.waiting', 'SELECT 1 FROM pg_locks WHERE NOT granted');

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const aggregates = (count: number) => Array.from({ length: count }, aggregateId);

const PARTITIONS = TOPICS.find(({ name }) => name === NOTICES)?.partitions ?? 0;
const partitionMetadata = Array.from({ length: PARTITIONS }, (_, partitionId) => ({
  ...{ partitionErrorCode: 0, partitionId, leader: 1, replicas: [1], isr: [1] },
}));
const partitionOf = (key: string) =>
  Partitioners.DefaultPartitioner()({ topic: NOTICES, partitionMetadata, message: { key, value: '' } });

describeWithKafka('the members of a group on Kafka', () => {
  let kafka: KafkaStage;
  beforeAll(async () => (kafka = await KafkaStage.open()));
  afterEach(() => kafka.clear());
  afterAll(() => kafka.close());

  /** Waits until each aggregate has `count` effects, and returns the sequences that are not 1, 2, 3, …. */
  async function outOfOrder(group: StageGroup, keys: readonly string[], count: number): Promise<number[][]> {
    const wrong: number[][] = [];
    for (const key of keys) {
      await eventually(async () => (await group.effects(key)).length >= count, `${count} effects of ${key}`);
      const effects = await group.effects(key);
      if (String(effects) !== String(upTo(count))) wrong.push(effects);
    }
    return wrong;
  }

  it('keep the order of each aggregate, and one effect an event, while another joins and leaves', async () => {
    const first = kafka.stage.group();
    const second = kafka.stage.group(first.name);
    const bus = kafka.bus();
    const keys = aggregates(20);
    let sequence = 0;
    const step = async (): Promise<void> => {
      sequence += 1;
      await published(bus.publish(keys.map((key) => noticeEnvelope(key, sequence))));
    };
    await kafka.join(first, bus);

    const joining = kafka.join(second, kafka.bus());
    await eventually(
      () => second.attempts.length > 0 || step().then(() => false),
      'work for the second member',
    );
    await joining;
    const leaving = second.stop();
    for (let steps = 0; steps < 10; steps += 1) await step();
    await leaving;

    expect(await outOfOrder(first, keys, sequence)).toEqual([]);
  });

  it('share the partitions, and have one effect of each event', async () => {
    const first = kafka.stage.group();
    const second = kafka.stage.group(first.name);
    await Promise.all([kafka.join(first, kafka.bus()), kafka.join(second, kafka.bus())]);
    const keys = aggregates(40);
    const bus = kafka.bus();

    let sequence = 0;
    await eventually(async () => {
      sequence += 1;
      await published(bus.publish(keys.map((key) => noticeEnvelope(key, sequence))));
      return first.attempts.length > 0 && second.attempts.length > 0;
    }, 'both to work');

    expect(await outOfOrder(first, keys, sequence)).toEqual([]);
  });

  it('take over from a member that is gone, whose remaining work has no second effect', async () => {
    const proxy = await kafka.proxy();
    const gone = kafka.stage.group();
    const heir = kafka.stage.group(gone.name);
    const gate = new Gate();
    gone.then = () => gate.pass();
    await kafka.join(gone, kafka.bus({}, proxy));
    const bus = kafka.bus();
    const keys = aggregates(3);
    await published(bus.publish(keys.flatMap((key) => events(key, 5))));
    await gate.reached;

    proxy.cut();
    await kafka.join(heir, kafka.bus());
    await published(bus.publish(keys.map((key) => noticeEnvelope(key, 6))));
    await eventually(
      async () => (await kafka.stage.db.query(WAITING)).length > 0,
      'the heir to wait for an inbox row that the other holds in its open transaction',
    );
    gate.open();

    expect(await outOfOrder(heir, keys, 6)).toEqual([]);
    expect(heir.attempts.length).toBeGreaterThan(0);
  });

  it('have no second effect when everything is delivered again from the first event', async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus();
    await kafka.join(group, bus);
    const keys = aggregates(10);
    await published(bus.publish(keys.flatMap((key) => events(key, 10))));
    expect(await outOfOrder(group, keys, 10)).toEqual([]);
    await group.stop();

    await kafka.forgetOffsets(group);
    const strategy = await group.start(bus);

    await eventually(() => strategy.counts().consumed >= 100, 'all events to come again');
    await published(bus.publish(keys.map((key) => noticeEnvelope(key, 11))));
    expect(await outOfOrder(group, keys, 11)).toEqual([]);
    expect(await Promise.all(keys.map((key) => group.parked(key)))).toEqual(keys.map(() => []));
  });

  it('miss nothing when the log has lost events that they had committed', async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus();
    // More than the test publishes: an offset that the log reaches before the group's first fetch is an ordinary one.
    await kafka.commitBeyondEnd(group, 1_000);
    await kafka.join(group, bus);
    const keys = aggregates(10);

    await published(bus.publish(keys.flatMap((key) => events(key, 2))));

    expect(await outOfOrder(group, keys, 2)).toEqual([]);
  });

  it('commit no offset at or behind an event whose transaction is open', async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus();
    const [held = '', ...others] = aggregates(60);
    const gate = new Gate();
    group.then = ({ aggregate_id }) => (aggregate_id === held ? gate.pass() : undefined);
    await kafka.join(group, bus);
    await eventually(async () => (await bus.unconsumed(group.name)) === 0, 'the start of the topic');
    await published(bus.publish(events(held, 1)));
    await gate.reached;

    await published(bus.publish(others.map((key) => noticeEnvelope(key, 1))));
    expect(await outOfOrder(group, others, 1)).toEqual([]);

    const samePartition = others.filter((key) => partitionOf(key) === partitionOf(held));
    expect(samePartition.length).toBeGreaterThan(0);
    await eventually(
      async () => (await bus.unconsumed(group.name)) === 1 + samePartition.length,
      'the commit of all other partitions',
    );
    gate.open();
    await eventually(async () => (await bus.unconsumed(group.name)) === 0, 'the commit of the rest');
  });

  it('go on fetching a partition whose window was full', async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus({ windowSize: 1 });
    const [held = '', ...others] = aggregates(60);
    const gate = new Gate();
    group.then = ({ aggregate_id }) => (aggregate_id === held ? gate.pass() : undefined);
    await kafka.join(group, bus);
    await published(bus.publish(events(held, 1)));
    await gate.reached;

    for (const key of others) await published(bus.publish(events(key, 1)));
    const elsewhere = others.filter((key) => partitionOf(key) !== partitionOf(held));
    expect(await outOfOrder(group, elsewhere, 1)).toEqual([]);
    gate.open();

    expect(await outOfOrder(group, [held, ...others], 1)).toEqual([]);
  });
});
