import { eventually, Gate } from './bus-stage.ts';
import { events, published, type Play } from './bus-play.ts';
import { aggregateId, noticeEnvelope } from './notices.ts';

export function ordering(play: Play): void {
  it('keeps the order of each aggregate when other events are published between its own', async () => {
    const { bus, first: group } = await play.begin(1);
    await group.start(bus);
    const aggregates = Array.from({ length: 6 }, aggregateId);
    const bySequence = Array.from({ length: 10 }, (_, index) =>
      aggregates.map((id) => noticeEnvelope(id, index + 1)),
    );

    const outcomes = await published(bus.publish(bySequence.flat()));

    expect(outcomes).not.toContain(false);
    for (const aggregate of aggregates) {
      await group.untilEffects(aggregate, 10);
      expect(await group.effects(aggregate)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  it('continues with other aggregates while one is blocked', async () => {
    const { bus, first: group } = await play.begin(1);
    const [slow, quick] = [aggregateId(), aggregateId()];
    const gate = new Gate();
    group.then = (event) => (event.aggregate_id === slow ? gate.pass() : undefined);
    await group.start(bus);

    const outcomes = bus.publish([...events(slow, 2), ...events(quick, 2)]);

    await gate.reached;
    await group.untilEffects(quick, 2);
    expect(await group.effects(slow)).toEqual([]);
    gate.open();
    expect(await published(outcomes)).not.toContain(false);
    await group.untilEffects(slow, 2);
  });
}

export function onceInEffect(play: Play): void {
  it('applies an event once when it is delivered several times (MSG-4)', async () => {
    const { bus, first: group } = await play.begin(1);
    await group.start(bus);
    const aggregate = aggregateId();
    const [one, two] = [noticeEnvelope(aggregate, 1), noticeEnvelope(aggregate, 2)];

    await published(bus.publish([one, one, two]));
    await published(bus.publish([one, two]));
    await published(bus.publish([noticeEnvelope(aggregate, 3)]));

    await eventually(async () => (await group.effects(aggregate)).includes(3), 'the last effect');
    expect(await group.effects(aggregate)).toEqual([1, 2, 3]);
  });

  it('delivers each event to each group', async () => {
    const { bus, groups } = await play.begin(2);
    await Promise.all(groups.map((group) => group.start(bus)));
    const aggregate = aggregateId();

    await published(bus.publish(events(aggregate, 3)));

    for (const group of groups) {
      await group.untilEffects(aggregate, 3);
      expect(await group.effects(aggregate)).toEqual([1, 2, 3]);
    }
  });

  it('skips an event that no method of the group handles', async () => {
    const { bus, first: group } = await play.begin(1);
    await group.start(bus);
    const aggregate = aggregateId();
    const unasked = noticeEnvelope(aggregate, 1, { type: 'notification_webhook.disabled' });

    await published(bus.publish([unasked, noticeEnvelope(aggregate, 2)]));

    await group.untilEffects(aggregate, 1);
    expect(await group.isInInbox(unasked)).toBe(false);
    expect(await group.parked(aggregate)).toEqual([]);
  });

  it('rolls the inbox and the effect back together when the handler fails (MSG-4)', async () => {
    const { bus, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    const event = noticeEnvelope(aggregate, 1);
    const seen: boolean[] = [];
    group.then = async (_, { attempt }) => {
      if (attempt === 1) throw new Error('the first try fails after its writes');
      seen.push(await group.isInInbox(event), (await group.effects(aggregate)).length > 0);
    };
    await group.start(bus);

    await published(bus.publish([event]));

    await eventually(() => group.isInInbox(event), 'the inbox row of the second try');
    // Read from outside while the second try ran: the first left neither behind.
    expect(seen).toEqual([false, false]);
    expect(await group.effects(aggregate)).toEqual([1]);
  });
}
