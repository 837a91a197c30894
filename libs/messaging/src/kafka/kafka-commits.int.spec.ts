import { describeWithKafka } from '@fundrail/testing';
import type { KafkaBus } from '../kafka-bus.ts';
import { published } from '../testing/bus-play.ts';
import { eventually, Gate, type StageGroup } from '../testing/bus-stage.ts';
import { KafkaStage, NOTICES } from '../testing/kafka-stage.ts';
import { aggregateId, noticeEnvelope } from '../testing/notices.ts';
import { wireGroup, wireTopic } from './kafka-connection.ts';

/** No commit comes by itself while a test runs. */
const NEVER = { commitEveryMs: 3_600_000 };
const AGGREGATES = 40;

describeWithKafka('the offsets of a group on Kafka', () => {
  let kafka: KafkaStage;
  let publishedSoFar = 0;
  beforeAll(async () => (kafka = await KafkaStage.open()));
  afterEach(() => kafka.clear());
  afterAll(() => kafka.close());

  /** An event of each of these aggregates, in this order. */
  async function publish(aggregates: readonly string[]): Promise<void> {
    const events = aggregates.map((id, index) => noticeEnvelope(id, publishedSoFar + index + 1));
    await published(kafka.bus().publish(events));
    publishedSoFar += events.length;
  }

  /** The events of the topic that the group has not committed, as the broker knows it. */
  function uncommitted({ name }: StageGroup): Promise<number> {
    const groupId = wireGroup(kafka.connection, name);
    const topic = wireTopic(kafka.connection, NOTICES);
    return kafka.admin(async (admin) => {
      const [own] = await admin.fetchOffsets({ groupId, topics: [topic] });
      const committed = own?.partitions.map(({ offset }) => Math.max(Number(offset), 0)) ?? [];
      const ends = (await admin.fetchTopicOffsets(topic)).map(({ high }) => Number(high));
      const sum = (offsets: readonly number[]) => offsets.reduce((total, offset) => total + offset, 0);
      return sum(ends) - sum(committed);
    });
  }

  /** A bus waits a second for a commit, and a busy broker may take longer. No other commit comes. */
  const untilCommitted = (group: StageGroup) =>
    eventually(async () => (await uncommitted(group)) === 0, 'the commit');

  /** The bus of a member that has handled every event so far, and committed none. */
  async function busWithoutCommit(group: StageGroup): Promise<KafkaBus> {
    const bus = kafka.bus(NEVER);
    const strategy = await group.start(bus);
    await eventually(() => bus.health().ready, 'the member to join');
    await publish(Array.from({ length: AGGREGATES }, aggregateId));
    await eventually(() => strategy.counts().consumed === publishedSoFar, 'all events to be handled');
    expect(await uncommitted(group)).toBe(publishedSoFar);
    return bus;
  }

  it('are committed before the partitions move to a member that joins', async () => {
    const first = kafka.stage.group();
    await busWithoutCommit(first);

    await kafka.join(kafka.stage.group(first.name), kafka.bus(NEVER));

    expect(await uncommitted(first)).toBe(0);
  });

  it('are committed when the member leaves', async () => {
    const group = kafka.stage.group();
    await busWithoutCommit(group);

    await group.stop();

    await untilCommitted(group);
  });

  it('are committed for the question how many events are unconsumed, which counts just those that are not handled', async () => {
    const group = kafka.stage.group();
    const bus = await busWithoutCommit(group);

    await eventually(async () => (await bus.unconsumed(group.name)) === 0, 'all to be consumed');
    await untilCommitted(group);

    const held = aggregateId();
    const gate = new Gate();
    group.then = () => gate.pass();
    await publish([held]);
    await gate.reached;
    await publish([held, held]);
    expect(await bus.unconsumed(group.name)).toBe(3);
    gate.open();
    await group.untilEffects(held, 3);
    await eventually(async () => (await bus.unconsumed(group.name)) === 0, 'the three to be handled');
  });
});
