import { describeWithKafka } from '@fundrail/testing';
import { sql } from '@fundrail/persistence';
import { listParked, replayParked, type ParkedEvent } from '../parked-events.ts';
import { events, published } from '../testing/bus-play.ts';
import { eventually, type StageGroup } from '../testing/bus-stage.ts';
import { KafkaStage } from '../testing/kafka-stage.ts';
import { aggregateId, noticeEnvelope } from '../testing/notices.ts';
import { toMessage } from './kafka-message.ts';

const REPAIR = sql('test.repair', 'UPDATE parked_events SET envelope = $2 WHERE event_id = $1');

describeWithKafka('a message that is not an event', () => {
  let kafka: KafkaStage;
  beforeAll(async () => (kafka = await KafkaStage.open()));
  afterEach(() => kafka.clear());
  afterAll(() => kafka.close());

  const parkedOf = (group: StageGroup, aggregate: string, count: number): Promise<ParkedEvent[]> =>
    eventually(async () => {
      const parked = await group.parked(aggregate);
      return parked.length >= count ? parked : null;
    }, `${count} parked messages`);

  it('is parked with its readable fields; its aggregate waits behind it, and its partition continues', async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus();
    const [sick, sound] = [aggregateId(), aggregateId()];
    await published(bus.publish(events(sick, 1)));
    await kafka.produce([{ key: sick, value: 'x', headers: { sequence: '2', tenant: 'demo' } }]);
    await published(bus.publish([noticeEnvelope(sick, 3), ...events(sound, 3)]));

    await group.start(bus);

    expect(await parkedOf(group, sick, 2)).toMatchObject([
      {
        sequence: 2,
        status: 'failed',
        tenant: 'demo',
        type: '',
        error: expect.stringContaining('id, type') as string,
      },
      { sequence: 3, status: 'behind' },
    ]);
    expect(await group.effects(sick)).toEqual([1]);
    await eventually(async () => (await group.effects(sound)).length === 3, 'the other aggregate');
    await eventually(async () => (await bus.unconsumed(group.name)) === 0, 'the partition to go on');
  });

  it('without any field is parked too', async () => {
    const group = kafka.stage.group();
    await kafka.produce([{ key: null, value: null }]);

    await group.start(kafka.bus());

    const parked = await eventually(
      async () =>
        (await listParked(kafka.stage.db)).find(
          (one) => one.consumer_group === group.name && one.sequence === 0,
        ),
      'the parked message',
    );
    expect(parked).toMatchObject({ aggregate_id: '', status: 'failed', type: '' });
  });

  it('stays parked when it is replayed unchanged, and runs once it has been repaired', async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus();
    const aggregate = aggregateId();
    const event = noticeEnvelope(aggregate, 1);
    const message = toMessage(event);
    await kafka.produce([{ ...message, headers: { ...message.headers, occurred_at: [] } }]);
    await published(bus.publish([noticeEnvelope(aggregate, 2)]));
    await group.start(bus);
    await parkedOf(group, aggregate, 2);

    await replayParked(kafka.stage.db, [event.id]);
    await eventually(async () => (await group.parked(aggregate))[0]?.tries === 2, 'a replay in vain');
    await kafka.stage.db.query(REPAIR, [event.id, JSON.stringify(event)]);
    await replayParked(kafka.stage.db, [event.id]);

    await eventually(async () => (await group.effects(aggregate)).length === 2, 'both effects');
    expect(await group.effects(aggregate)).toEqual([1, 2]);
  });

  it("gives a consumer the event's trace", async () => {
    const group = kafka.stage.group();
    const bus = kafka.bus();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
    const seen: (string | null)[] = [];
    group.then = (event) => void seen.push(event.traceparent);
    await group.start(bus);

    await published(bus.publish([noticeEnvelope(aggregateId(), 1, { traceparent })]));

    await eventually(() => seen.includes(traceparent), 'the trace');
  });
});
