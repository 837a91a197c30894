import { eventually, Gate } from './bus-stage.ts';
import { events, published, type Play } from './bus-play.ts';
import { aggregateId, noticeEnvelope } from './notices.ts';
import { FlakyTransactions } from './pg-transactions.ts';

export function outages(play: Play): void {
  it('waits for a lost database without limit, and parks nothing (MSG-5)', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const flaky = new FlakyTransactions(stage.db);
    await group.start(bus, flaky);
    const aggregate = aggregateId();
    flaky.down = true;

    const outcomes = bus.publish(events(aggregate, 2));
    await eventually(() => flaky.refused > 5, 'more tries than an event has');
    flaky.down = false;

    expect(await published(outcomes)).not.toContain(false);
    await group.untilEffects(aggregate, 2);
    expect(await group.parked(aggregate)).toEqual([]);
    // No try was used up.
    expect(group.attempts).toEqual([`${aggregate}#1/1`, `${aggregate}#2/1`]);
  });
}

export function stopping(play: Play): void {
  it('finishes running events when it is stopped, and gets the rest after the next start', async () => {
    const { bus, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    const [one, two] = [noticeEnvelope(aggregate, 1), noticeEnvelope(aggregate, 2)];
    const gate = new Gate();
    group.then = () => gate.pass();
    await group.start(bus);
    void bus.publish([one, two]);
    await gate.reached;

    const stopped = group.stop();
    gate.open();
    await stopped;

    expect(await group.effects(aggregate)).toEqual([1]);
    group.then = () => undefined;
    await group.start(bus);
    // A relay publishes unmarked events again; a log delivers them without it.
    await published(bus.publish([one, two]));
    await group.untilEffects(aggregate, 2);
    expect(await group.effects(aggregate)).toEqual([1, 2]);
  });

  it('does not wait for the remaining tries of an event', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const flaky = new FlakyTransactions(stage.db);
    await group.start(bus, flaky);
    const aggregate = aggregateId();
    flaky.down = true;
    void bus.publish(events(aggregate, 1));
    await eventually(() => flaky.refused > 0, 'a refused try');

    await group.stop();

    expect(await group.effects(aggregate)).toEqual([]);
    expect(await group.parked(aggregate)).toEqual([]);
  });
}
