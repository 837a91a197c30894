import {
  Catch,
  Controller,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
  type INestMicroservice,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { istTimestamp } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { EventStrategy, rethrowEventError } from './event.strategy.ts';
import { InProcessBus } from './in-process-bus.ts';
import { deleteOldInbox } from './inbox.ts';
import { OnEvent, OnPublicEvents, type EventContext } from './on-event.ts';
import { listParked } from './parked-events.ts';
import type { ReceivedEvent } from './received-event.ts';
import { Stage } from './testing/bus-stage.ts';
import { aggregateId, noticeEnvelope } from './testing/notices.ts';

const NOTE = sql(
  'test.note',
  `INSERT INTO effects (consumer_group, event_id, aggregate_id, sequence) VALUES ($1, $2, $3, $4)`,
);
const EFFECTS = sql(
  'test.effects',
  'SELECT consumer_group AS by, sequence FROM effects WHERE event_id = $1 ORDER BY id',
);
const END_OWN_SESSION = sql('test.end', 'SELECT pg_terminate_backend(pg_backend_pid())');
const INBOX = sql('test.inbox', 'SELECT event_id FROM inbox');
const AGE = sql('test.age', `UPDATE inbox SET received_at = now() - interval '15 days' WHERE event_id = $1`);

/** What the methods below do next. It is global because Nest creates the controllers. */
const script = { fail: (_event: ReceivedEvent, _context: EventContext): Promise<void> => Promise.resolve() };

async function note(by: string, event: ReceivedEvent, { tx }: EventContext): Promise<void> {
  await tx.query(NOTE, [by, event.id, event.aggregate_id, event.sequence]);
}

@Controller()
class NoticeConsumer {
  @OnEvent('notification_webhook.test')
  async onTest(
    @Payload() event: ReceivedEvent<'notification_webhook.test'>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await note(event.object.url, event, context);
    await script.fail(event, context);
  }
}

@Controller()
class EverythingConsumer {
  @OnEvent('notification_webhook.test')
  async onTest(
    @Payload() event: ReceivedEvent<'notification_webhook.test'>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await note('everything', event, context);
  }
}

/** The types of the events of each call. */
const calls: string[][] = [];

@Controller()
class PublicConsumer {
  @OnPublicEvents()
  onAll(@Payload() events: readonly ReceivedEvent[]): Promise<void> {
    calls.push(events.map(({ type }) => type));
    return Promise.resolve();
  }
}

@Catch()
class KeepErrors implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): unknown {
    return rethrowEventError(error);
  }
}

describe("Nest's event handlers on the bus", () => {
  let stage: Stage;
  let app: INestMicroservice;
  let strategy: EventStrategy;
  const bus = new InProcessBus({ groups: ['test'] });
  const reached: string[] = [];
  beforeAll(async () => {
    Logger.overrideLogger(false);
    stage = await Stage.open();
    const module = await Test.createTestingModule({
      controllers: [NoticeConsumer, EverythingConsumer],
      providers: [{ provide: APP_FILTER, useClass: KeepErrors }],
    }).compile();
    strategy = new EventStrategy({
      group: 'test',
      bus,
      transactions: stage.db,
      catchUp: (time) => Promise.resolve(void reached.push(istTimestamp(time))),
      backOffMs: [1, 1, 1, 1],
      replayPollMs: 20,
    });
    app = module.createNestMicroservice({ strategy, logger: false });
    await app.listen();
  });
  beforeEach(() => {
    script.fail = () => Promise.resolve();
  });
  afterAll(async () => {
    await app.close();
    await stage.close();
  });

  it('allows no other method for a type whose events are taken together', () => {
    const taking = () => new EventStrategy({ group: 'other', bus, transactions: stage.db });
    const method = () => Promise.resolve();
    for (const [first, second] of [
      [{}, { together: 'one' }],
      [{ together: 'one' }, {}],
      [{ together: 'one' }, { together: 'one' }],
    ]) {
      const strategy = taking();
      strategy.addHandler('payment.failed', method, true, first);
      expect(() => strategy.addHandler('payment.failed', method, true, second)).toThrow('one method alone');
    }
  });

  it('is at the time of an event before it handles it (CLOCK-14)', async () => {
    const later = noticeEnvelope(aggregateId(), 1, { occurred_at: '2031-01-05T10:00:00.000+05:30' });
    const reachedAtStart: string[] = [];
    script.fail = () => Promise.resolve(void reachedAtStart.push(...reached));
    await Promise.all(bus.publish([later]));
    expect(reachedAtStart).toContain(later.occurred_at);
  });

  it('calls every method of a type, one after the other, in one transaction', async () => {
    const event = noticeEnvelope(aggregateId());
    const before = strategy.counts().consumed;

    await Promise.all(bus.publish([event]));

    const effects = await stage.db.query(EFFECTS, [event.id]);
    expect(effects).toEqual([
      { by: 'https://buyer.example/1', sequence: 1 },
      { by: 'everything', sequence: 1 },
    ]);
    expect(strategy.counts()).toEqual({ consumed: before + 1, in_flight: 0 });
  });

  it('counts a method that throws as failed, and parks with its own error', async () => {
    script.fail = () => Promise.reject(new RangeError('no such row'));
    const event = noticeEnvelope(aggregateId());

    await Promise.all(bus.publish([event]));

    const parked = (await listParked(stage.db)).find(({ event_id }) => event_id === event.id);
    expect(parked).toMatchObject({ consumer_group: 'test', tries: 5, error: 'RangeError: no such row' });
  });

  it('tries again, and parks nothing, when the connection dies under a method', async () => {
    const event = noticeEnvelope(aggregateId());
    const attempts: number[] = [];
    script.fail = async (_event, { tx, attempt }) => {
      attempts.push(attempt);
      if (attempts.length <= 6) await tx.query(END_OWN_SESSION);
    };

    await Promise.all(bus.publish([event]));

    // More lost connections than an event has tries, and none of them counted as a try.
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect((await listParked(stage.db)).map(({ event_id }) => event_id)).not.toContain(event.id);
  });

  it('gives a method the events of all its types in one call, except those that cannot be read', async () => {
    const group = new InProcessBus({ groups: ['public'] });
    const module = await Test.createTestingModule({ controllers: [PublicConsumer] }).compile();
    const all = new EventStrategy({ group: 'public', bus: group, transactions: stage.db, backOffMs: [1] });
    const service = module.createNestMicroservice({ strategy: all, logger: false });
    await service.listen();
    const types = ['notification_webhook.test', 'notification_webhook.disabled', 'notification_webhook.test'];
    const events = types.map((type) => noticeEnvelope(aggregateId(), 1, { type }));
    const unreadable = ['{', '{}'].map((data) => noticeEnvelope(aggregateId(), 1, { data }));

    await Promise.all(group.publish(events));
    const shared = calls.splice(0);
    await Promise.all(
      group.publish([...unreadable, ...events.map((event) => ({ ...event, id: `${event.id}0` }))]),
    );

    expect(shared.flat().sort()).toEqual(types.toSorted());
    expect(shared.some((call) => new Set(call).size === 2)).toBe(true);
    expect(calls.flat().sort()).toEqual(types.toSorted());
    const parked = (await listParked(stage.db)).filter((event) => event.consumer_group === 'public');
    expect(parked.map(({ event_id, tries }) => [event_id, tries]).sort()).toEqual(
      unreadable.map(({ id }) => [id, 1]).sort(),
    );
    await service.close();
  });

  it('refuses a method for a type that is not in the catalogue (EVT-1)', () => {
    const handler = () => Promise.resolve();

    expect(() => strategy.addHandler('payment.vanished', handler, true)).toThrow('payment.vanished');
  });

  it('deletes inbox rows after 14 days (MSG-8)', async () => {
    const [old, recent] = [noticeEnvelope(aggregateId()), noticeEnvelope(aggregateId())];
    await Promise.all(bus.publish([old, recent]));
    await stage.db.query(AGE, [old.id]);

    await deleteOldInbox(stage.db);

    const kept = (await stage.db.query<{ event_id: string }>(INBOX)).map(({ event_id }) => event_id);
    expect(kept).toContain(recent.id);
    expect(kept).not.toContain(old.id);
  });
});
