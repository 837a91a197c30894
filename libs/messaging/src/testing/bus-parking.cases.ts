import { discardParked, replayParked } from '../parked-events.ts';
import { eventually, type StageGroup } from './bus-stage.ts';
import { events, published, type Play } from './bus-play.ts';
import { aggregateId, noticeEnvelope } from './notices.ts';

export function parking(play: Play): void {
  it('parks an event after five tries; its aggregate waits behind it, others continue (MSG-5)', async () => {
    const { bus, first: group } = await play.begin(1);
    const [sick, sound] = [aggregateId(), aggregateId()];
    group.then = (event) => {
      if (event.aggregate_id === sick && event.sequence === 2) throw new Error('this cannot be done');
    };
    await group.start(bus);

    await published(bus.publish([...events(sick, 3), ...events(sound, 3)]));

    await group.untilParked(sick, 2);
    expect(await group.parked(sick)).toMatchObject([
      { sequence: 2, status: 'failed', tries: 5, error: 'Error: this cannot be done', tenant: 'demo' },
      { sequence: 3, status: 'behind', tries: 0, error: null },
    ]);
    expect(group.attempts.filter((attempt) => attempt.startsWith(`${sick}#2`))).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => `${sick}#2/${attempt}`),
    );
    await group.untilEffects(sound, 3);
    expect(await group.effects(sick)).toEqual([1]);
  });

  it.each([
    ['an unknown type', { type: 'notification_webhook.repainted' }, /not in the catalogue/],
    ['a version from the future', { version: 99 }, /version 99/],
    ['data that is not JSON', { data: '{' }, /does not fit its schema/],
    [
      'data against the schema',
      { data: '{"object":{},"previous_attributes":null}' },
      /does not fit its schema/,
    ],
  ])('parks %s immediately, and never drops it', async (_what, fields, error) => {
    const { bus, first: group } = await play.begin(1);
    await group.start(bus);
    const aggregate = aggregateId();

    await published(bus.publish([noticeEnvelope(aggregate, 1, fields)]));

    const [parked] = await eventually(async () => {
      const found = await group.parked(aggregate);
      return found.length > 0 ? found : null;
    }, 'the parked event');
    expect(parked).toMatchObject({
      status: 'failed',
      tries: 1,
      error: expect.stringMatching(error) as string,
    });
    expect(group.attempts).toEqual([]);
  });
}

export function parkingByGroup(play: Play): void {
  it('parks in the group that failed, and in no other', async () => {
    const { bus, groups } = await play.begin(2);
    const [failing, fine] = groups as [StageGroup, StageGroup];
    failing.then = () => {
      throw new Error('this group cannot');
    };
    await Promise.all(groups.map((group) => group.start(bus)));
    const aggregate = aggregateId();

    await published(bus.publish(events(aggregate, 2)));

    await failing.untilParked(aggregate, 2);
    await fine.untilEffects(aggregate, 2);
    expect(await fine.parked(aggregate)).toEqual([]);
  });
}

export function replaying(play: Play): void {
  it('replays a parked event and what waits behind it in sequence order, then takes new ones (MSG-5)', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    group.then = (event) => {
      if (event.sequence === 1) throw new Error('not yet');
    };
    await group.start(bus);
    await published(bus.publish(events(aggregate, 3)));
    const parked = await group.untilParked(aggregate, 3);

    group.then = () => undefined;
    // Requested with the last of them: failed events before it run first.
    const asked = await replayParked(stage.db, [parked[2]?.event_id ?? '']);

    expect(asked).toBe(1);
    await group.untilParked(aggregate, 0);
    await published(bus.publish([noticeEnvelope(aggregate, 4)]));
    await group.untilEffects(aggregate, 4);
    expect(await group.effects(aggregate)).toEqual([1, 2, 3, 4]);
  });

  it('keeps an event and those behind it parked when the replay fails too', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    group.then = () => {
      throw new Error('never');
    };
    await group.start(bus);
    await published(bus.publish(events(aggregate, 2)));
    await group.untilParked(aggregate, 2);

    await replayParked(stage.db, 'all');

    await eventually(async () => (await group.parked(aggregate))[0]?.tries === 10, 'five more tries');
    expect(await group.parked(aggregate)).toMatchObject([
      { sequence: 1, status: 'failed' },
      { sequence: 2, status: 'behind' },
    ]);
    expect(await group.effects(aggregate)).toEqual([]);
  });

  it('discards a failed event on request, and continues with the events behind it', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    group.then = (event) => {
      if (event.aggregate_id === aggregate && event.sequence === 2) throw new Error('never');
    };
    await group.start(bus);
    const all = events(aggregate, 4);
    await published(bus.publish(all));
    await group.untilParked(aggregate, 3);
    const [, failed, behind] = all.map(({ id }) => id) as [string, string, string];

    expect(await discardParked(stage.db, [behind])).toBe(0);
    expect(await discardParked(stage.db, [failed])).toBe(1);

    await group.untilEffects(aggregate, 3);
    await published(bus.publish([...all, noticeEnvelope(aggregate, 5)]));
    await group.untilEffects(aggregate, 4);
    expect(await group.effects(aggregate)).toEqual([1, 3, 4, 5]);
    expect(await group.parked(aggregate)).toEqual([]);
    expect(group.attempts.filter((attempt) => attempt.startsWith(`${aggregate}#2`))).toHaveLength(5);
  });
}
