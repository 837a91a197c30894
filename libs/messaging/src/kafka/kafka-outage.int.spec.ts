import { describeWithKafka, kafkaPrefix, waitFor } from '@fundrail/testing';
import type { GroupSubscription } from '../event-bus.port.ts';
import { KafkaBus } from '../kafka-bus.ts';
import { events, published } from '../testing/bus-play.ts';
import { eventually } from '../testing/bus-stage.ts';
import { KafkaStage, NOTICES } from '../testing/kafka-stage.ts';
import { aggregateId, noticeEnvelope } from '../testing/notices.ts';

/**
 * For how long the broker is away: longer than a session, so that the group has removed its member. With CI, or with
 * `LONG_OUTAGE=1`, for the minute of the requirement.
 */
const OUTAGE_MS = (process.env['CI'] ?? process.env['LONG_OUTAGE']) ? 60_000 : 8_000;

const subscription = (fields: Partial<GroupSubscription>): GroupSubscription => ({
  group: 'liveness',
  topics: [NOTICES],
  deliver: () => Promise.resolve(),
  refuse: () => Promise.resolve(),
  busySince: () => null,
  ...fields,
});

describeWithKafka('the Kafka bus', () => {
  // These take their time, and begin here: they wait while the other tests do.
  let quiet: KafkaStage;
  /** Its topics do not exist. */
  let lost: KafkaBus;
  let idle: KafkaBus;
  let idled: Promise<ReturnType<KafkaBus['health']>>;
  beforeAll(async () => {
    quiet = await KafkaStage.open();
    const elsewhere = { ...quiet.connection, prefix: `${kafkaPrefix()}.no-such-topics.` };
    lost = new KafkaBus(elsewhere, { watchEveryMs: 200, stuckAfterMs: 9_000 });
    await lost.subscribe(subscription({}));
    // A busy broker answers nothing for some seconds.
    idle = quiet.bus({ stuckAfterMs: 10_000 });
    await quiet.join(quiet.stage.group(), idle);
    const idleSince = Date.now();
    // Each look must find it alive, for twice the limit.
    const isOver = () => Date.now() - idleSince > 20_000 || !idle.health().live;
    idled = waitFor(isOver, { what: 'the time' }).then(() => idle.health());
  });
  afterAll(async () => {
    await lost.close();
    await quiet.close();
  });

  describe('without its broker', () => {
    let kafka: KafkaStage;
    beforeAll(async () => (kafka = await KafkaStage.open()));
    afterEach(() => kafka.clear());
    afterAll(() => kafka.close());

    /** The duration of the outage that the bus reports. */
    const downForMs = (bus: KafkaBus) => Date.now() - (bus.health().downSince?.getTime() ?? Infinity);

    const publishedInTheEnd = (bus: KafkaBus, ...event: Parameters<typeof noticeEnvelope>) => {
      const envelope = noticeEnvelope(...event);
      return eventually(
        async () => (await published(bus.publish([envelope])))[0],
        'a publish that gets through',
      );
    };

    it('waits for it at the first start, alive and not ready, and then starts', async () => {
      const proxy = await kafka.proxy();
      proxy.cut();
      const bus = kafka.bus({}, proxy);
      const group = kafka.stage.group();
      const aggregate = aggregateId();

      await group.start(bus);

      await eventually(() => bus.health().downSince, 'the outage to be noticed');
      expect(bus.health()).toMatchObject({ live: true, ready: false, detail: 'the broker does not answer' });
      expect(await published(bus.publish(events(aggregate, 1)))).toEqual([false]);
      proxy.restore();
      await eventually(() => bus.health().ready, 'the bus to be ready');
      expect(bus.health()).toEqual({ live: true, ready: true, detail: null, downSince: null });
      await publishedInTheEnd(bus, aggregate, 1);
      await eventually(async () => (await group.effects(aggregate)).length === 1, 'the effect');
    });

    it(`goes on by itself after ${OUTAGE_MS / 1_000} s, with nothing lost and nothing out of order`, async () => {
      const proxy = await kafka.proxy();
      const bus = kafka.bus({}, proxy);
      const group = kafka.stage.group();
      await kafka.join(group, bus);
      const [before, meanwhile] = [aggregateId(), aggregateId()];
      await published(bus.publish(events(before, 3)));

      proxy.cut();
      await published(kafka.bus().publish(events(meanwhile, 3)));
      await eventually(() => bus.health().downSince, 'the outage to be noticed');
      const outageEnds = { what: 'the end of the outage', limitMs: OUTAGE_MS + 20_000 };
      await waitFor(() => downForMs(bus) >= OUTAGE_MS, outageEnds);
      expect(bus.health()).toMatchObject({ live: true, ready: false });
      proxy.restore();

      await eventually(() => bus.health().ready, 'the bus to be ready');
      await publishedInTheEnd(bus, before, 4);
      for (const [aggregate, sequences] of [
        [before, [1, 2, 3, 4]],
        [meanwhile, [1, 2, 3]],
      ] as const) {
        await eventually(
          async () => (await group.effects(aggregate)).length === sequences.length,
          'all effects',
        );
        expect(await group.effects(aggregate)).toEqual(sequences);
      }
    });

    it('notices a broker that hangs, and goes on when it answers again', async () => {
      const proxy = await kafka.proxy();
      const bus = kafka.bus({ publishTimeoutMs: 1_000 }, proxy);
      const group = kafka.stage.group();
      const aggregate = aggregateId();
      await kafka.join(group, bus);

      proxy.hang();
      await eventually(() => bus.health().downSince, 'the outage to be noticed');
      proxy.restore();

      await eventually(() => bus.health().ready, 'the bus to be ready');
      await publishedInTheEnd(bus, aggregate, 1);
      await eventually(async () => (await group.effects(aggregate)).length === 1, 'the effect');
    });
  });

  describe('its liveness', () => {
    let kafka: KafkaStage;
    beforeAll(async () => (kafka = await KafkaStage.open()));
    afterEach(() => kafka.clear());
    afterAll(() => kafka.close());

    it('ends when a consumer has crashed repeatedly for a permanent reason', async () => {
      const bus = kafka.bus();
      await published(bus.publish(events(aggregateId(), 1)));

      await bus.subscribe(
        subscription({ deliver: () => Promise.reject(new TypeError('a fault in the code')) }),
      );

      await eventually(() => !bus.health().live, 'the bus to be given up');
      expect(bus.health().detail).toContain('a fault in the code');
    });

    it('ends while a transaction runs longer than the limit, and returns when it ends', async () => {
      const bus = kafka.bus({ longestTransactionMs: 1_000 });
      let busySince: Date | null = new Date(Date.now() - 2_000);
      await bus.subscribe(subscription({ busySince: () => busySince }));
      expect(bus.health()).toMatchObject({ live: false, detail: 'a transaction of liveness does not end' });

      busySince = null;

      expect(bus.health().live).toBe(true);
    });

    it('ends when a consumer makes no progress although the broker answers', async () => {
      const proxy = await kafka.proxy();
      const bus = kafka.bus({ stuckAfterMs: -1 }, proxy);
      await bus.subscribe(subscription({}));
      await eventually(
        () => bus.health().detail === 'the consumer of liveness does nothing',
        'the bus to be given up',
      );

      // An outage is not a fault of the consumer.
      proxy.cut();
      await eventually(() => bus.health().downSince, 'the outage to be noticed');
      expect(bus.health().live).toBe(true);
    });

    it('ends when a consumer keeps restarting and never joins, although the broker answers', async () => {
      await eventually(
        () => lost.health().detail === 'the consumer of liveness does nothing',
        'the bus to be given up',
      );
    });

    it('holds while a consumer has nothing to do', async () => {
      expect(await idled).toMatchObject({ live: true, ready: true });
    });
  });
});
