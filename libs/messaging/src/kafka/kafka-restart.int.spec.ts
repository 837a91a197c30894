import { describeWithKafka, startOwnKafka, type OwnKafka } from '@fundrail/testing';
import { NoticeBook } from '../testing/notice-book.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { eventually } from '../testing/bus-stage.ts';
import { KafkaStage } from '../testing/kafka-stage.ts';
import { aggregateId } from '../testing/notices.ts';

const AGGREGATES = 10;
const STEPS = 10;
const RESTART_LIMIT_MS = 120_000;

describeWithKafka('a broker that dies and starts again', () => {
  let broker: OwnKafka;
  let kafka: KafkaStage;
  let relay: OutboxRelay | null = null;
  beforeAll(async () => {
    broker = await startOwnKafka();
    kafka = await KafkaStage.open(broker.brokers);
  }, RESTART_LIMIT_MS);
  afterEach(async () => {
    await relay?.stop();
    await kafka.clear();
  });
  afterAll(async () => {
    await kafka.close();
    await broker.remove();
  });

  it(
    'loses none of the events that were written before, meanwhile and after, and keeps their order',
    async () => {
      const { db } = kafka.stage;
      const book = new NoticeBook(db);
      const ids = Array.from({ length: AGGREGATES }, aggregateId);
      await book.create(ids);
      const bus = kafka.bus({ publishTimeoutMs: 2_000 });
      relay = new OutboxRelay(db, db.connect, bus);
      const group = kafka.stage.group();
      const write = async () => {
        for (let step = 0; step < STEPS; step += 1) await Promise.all(ids.map((id) => book.step(id)));
      };
      await kafka.join(group, bus);
      relay.start();

      await write();
      await broker.kill();
      await write();
      await eventually(() => bus.health().downSince, 'the death to be noticed');
      await broker.start();
      await write();

      await eventually(() => bus.health().ready, 'the bus to be ready');
      const expected = Array.from({ length: 3 * STEPS }, (_, index) => index + 1);
      for (const id of ids) {
        await eventually(async () => (await group.effects(id)).length >= expected.length, 'all effects');
        expect(await group.effects(id)).toEqual(expected);
      }
    },
    RESTART_LIMIT_MS,
  );
});
