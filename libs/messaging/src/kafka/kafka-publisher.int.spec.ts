import { describeWithKafka } from '@fundrail/testing';
import { events, published } from '../testing/bus-play.ts';
import { eventually } from '../testing/bus-stage.ts';
import { KafkaStage } from '../testing/kafka-stage.ts';
import { aggregateId, noticeEnvelope } from '../testing/notices.ts';

/** More than the tries of one request. */
const ALL_TRIES = 10;

describeWithKafka('publishing to Kafka', () => {
  let kafka: KafkaStage;
  beforeAll(async () => (kafka = await KafkaStage.open()));
  afterEach(() => kafka.clear());
  afterAll(() => kafka.close());

  it('publishes an event after one whose answer was lost, and the broker does not take it for a duplicate', async () => {
    const proxy = await kafka.proxy();
    const bus = kafka.bus({}, proxy);
    const aggregate = aggregateId();
    proxy.loseAnswers(ALL_TRIES);
    expect(await published(bus.publish([noticeEnvelope(aggregate, 1)]))).toEqual([false]);
    expect(proxy.answersLeftToLose).toBeLessThan(ALL_TRIES);
    proxy.loseAnswers(0);

    // The same partition and as many events: to the broker the first request again, if the producer was the same.
    expect(await published(bus.publish([noticeEnvelope(aggregate, 2)]))).toEqual([true]);

    const group = kafka.stage.group();
    await group.start(kafka.bus());
    await eventually(
      async () => (await group.effects(aggregate)).includes(2),
      'the effect of the second event',
    );
  });

  it('publishes nothing behind an event that was not published, although the broker would take it', async () => {
    const proxy = await kafka.proxy();
    const bus = kafka.bus({}, proxy);
    const aggregate = aggregateId();
    // The first request and its tries are lost, the second would get through.
    proxy.loseAnswers(4);

    const outcomes = bus.publish(events(aggregate, 1_500));

    expect(new Set(await published(outcomes))).toEqual(new Set([false]));
  });

  it('reports the events of a hanging request as not published, and publishes again afterwards', async () => {
    const proxy = await kafka.proxy();
    const bus = kafka.bus({ publishTimeoutMs: 2_000 }, proxy);
    const aggregate = aggregateId();
    proxy.hang();

    const [outcome] = bus.publish([noticeEnvelope(aggregate, 1)]);

    // Its own limit, not the sum of what kafkajs tries.
    expect(await outcome).toMatchObject({
      published: false,
      error: { message: expect.stringContaining('2000 ms') as string },
    });
    proxy.restore();
    await eventually(
      async () => (await published(bus.publish([noticeEnvelope(aggregate, 1)])))[0],
      'a publish that gets through',
    );
  });

  it('blocks only the aggregate of an event that is too large for the broker', async () => {
    const bus = kafka.bus();
    const [large, small] = [aggregateId(), aggregateId()];
    const data = `{"text":"${'x'.repeat(1_200_000)}"}`;

    const outcomes = bus.publish([
      noticeEnvelope(large, 1, { data }),
      noticeEnvelope(large, 2),
      noticeEnvelope(small, 1),
    ]);

    expect(await published(outcomes)).toEqual([false, false, true]);
  });

  it('publishes an event that arrives in the moment in which the previous one is answered', async () => {
    const bus = kafka.bus();
    const aggregate = aggregateId();

    const [first] = bus.publish([noticeEnvelope(aggregate, 1)]);
    const second = first?.then(() => bus.publish([noticeEnvelope(aggregate, 2)])[0]);

    expect(await second).toEqual({ published: true });
  });

  it('publishes nothing after it was closed', async () => {
    const bus = kafka.bus();
    await bus.close();

    expect(await published(bus.publish(events(aggregateId(), 1)))).toEqual([false]);
  });
});
