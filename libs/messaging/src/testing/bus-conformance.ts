import type { EventEnvelope } from '@fundrail/contracts';
import { Logger } from '@nestjs/common';
import type { EventBus, PublishOutcome } from '../event-bus.port.ts';
import { replayParked } from '../parked-events.ts';
import { eventually, Gate, Stage, type StageGroup } from './bus-stage.ts';
import { aggregateId, noticeEnvelope } from './notices.ts';
import { FlakyTransactions } from './pg-transactions.ts';

/** The bus of one test. */
export interface BusUnderTest {
  readonly bus: EventBus;
  /** Ends the bus's own connections; the groups are stopped before. */
  close(): Promise<void>;
}

/** Makes a bus for a process with these consumer groups, which have not subscribed yet. */
export type CreateBus = (groups: readonly string[]) => Promise<BusUnderTest>;

/**
 * What every bus must do, together with `EventStrategy` on it (architecture, rule 6). Needs the PostgreSQL of the project
 * `int`. Aggregates and groups are new in each test, so topics may be shared and kept between them.
 */
export function busConformance(describeName: string, createBus: CreateBus): void {
  describe(describeName, () => {
    const play = new Play(createBus);
    beforeAll(() => play.open());
    afterEach(() => play.clear());
    afterAll(() => play.close());

    ordering(play);
    onceInEffect(play);
    parking(play);
    replaying(play);
    outages(play);
    stopping(play);
  });
}

/** One suite's stage, and the bus and groups of its running test. */
class Play {
  #stage: Stage | null = null;
  #underTest: BusUnderTest | null = null;

  constructor(private readonly createBus: CreateBus) {}

  async open(): Promise<void> {
    Logger.overrideLogger(false);
    this.#stage = await Stage.open();
  }

  /** Makes the bus for `count` groups. */
  async begin<N extends 1 | 2>(
    count: N,
  ): Promise<{ bus: EventBus; stage: Stage; groups: StageGroup[]; first: StageGroup }> {
    const stage = this.#open();
    const first = stage.group();
    const groups = [first, ...Array.from({ length: count - 1 }, () => stage.group())];
    this.#underTest = await this.createBus(groups.map((group) => group.name));
    return { bus: this.#underTest.bus, stage, groups, first };
  }

  async clear(): Promise<void> {
    await this.#stage?.stopGroups();
    await this.#underTest?.close();
    this.#underTest = null;
  }

  async close(): Promise<void> {
    await this.#stage?.close();
    Logger.overrideLogger(['error', 'warn']);
  }

  #open(): Stage {
    if (!this.#stage) throw new Error('the stage is not open');
    return this.#stage;
  }
}

async function published(outcomes: readonly Promise<PublishOutcome>[]): Promise<boolean[]> {
  return (await Promise.all(outcomes)).map((outcome) => outcome.published);
}

function events(aggregate: string, count: number): EventEnvelope[] {
  return Array.from({ length: count }, (_, index) => noticeEnvelope(aggregate, index + 1));
}

function ordering(play: Play): void {
  it('keeps the order of each aggregate, whatever is published between its events', async () => {
    const { bus, first: group } = await play.begin(1);
    await group.start(bus);
    const aggregates = Array.from({ length: 6 }, aggregateId);
    const bySequence = Array.from({ length: 10 }, (_, index) =>
      aggregates.map((id) => noticeEnvelope(id, index + 1)),
    );

    const outcomes = await published(bus.publish(bySequence.flat()));

    expect(outcomes).not.toContain(false);
    for (const aggregate of aggregates) {
      const effects = await eventually(async () => {
        const found = await group.effects(aggregate);
        return found.length >= 10 ? found : null;
      }, 'ten effects');
      expect(effects).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  it('goes on with other aggregates while one is held up', async () => {
    const { bus, first: group } = await play.begin(1);
    const [slow, quick] = [aggregateId(), aggregateId()];
    const gate = new Gate();
    group.then = (event) => (event.aggregate_id === slow ? gate.pass() : undefined);
    await group.start(bus);

    const outcomes = bus.publish([...events(slow, 2), ...events(quick, 2)]);

    await gate.reached;
    await eventually(
      async () => (await group.effects(quick)).length === 2,
      'the effects of the other aggregate',
    );
    expect(await group.effects(slow)).toEqual([]);
    gate.open();
    expect(await published(outcomes)).not.toContain(false);
    await eventually(
      async () => (await group.effects(slow)).length === 2,
      'the effects of the slow aggregate',
    );
  });
}

function onceInEffect(play: Play): void {
  it('has an event take effect once, however often it is delivered', async () => {
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

  it('gives each event to each group', async () => {
    const { bus, groups } = await play.begin(2);
    await Promise.all(groups.map((group) => group.start(bus)));
    const aggregate = aggregateId();

    await published(bus.publish(events(aggregate, 3)));

    for (const group of groups) {
      await eventually(
        async () => (await group.effects(aggregate)).length === 3,
        'three effects in each group',
      );
      expect(await group.effects(aggregate)).toEqual([1, 2, 3]);
    }
  });

  it('passes over an event that no method of the group asked for', async () => {
    const { bus, first: group } = await play.begin(1);
    await group.start(bus);
    const aggregate = aggregateId();
    const unasked = noticeEnvelope(aggregate, 1, { type: 'notification_webhook.disabled' });

    await published(bus.publish([unasked, noticeEnvelope(aggregate, 2)]));

    await eventually(
      async () => (await group.effects(aggregate)).length === 1,
      'the effect of the next event',
    );
    expect(await group.isInInbox(unasked)).toBe(false);
    expect(await group.parked(aggregate)).toEqual([]);
  });

  it('rolls the inbox and the effect back together when the handler fails', async () => {
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
    // Seen from outside while the second try ran: the first has left neither behind.
    expect(seen).toEqual([false, false]);
    expect(await group.effects(aggregate)).toEqual([1]);
  });
}

function parking(play: Play): void {
  it('parks an event after five tries; its aggregate waits behind it, others go on', async () => {
    const { bus, first: group } = await play.begin(1);
    const [sick, sound] = [aggregateId(), aggregateId()];
    group.then = (event) => {
      if (event.aggregate_id === sick && event.sequence === 2) throw new Error('this cannot be done');
    };
    await group.start(bus);

    await published(bus.publish([...events(sick, 3), ...events(sound, 3)]));

    await eventually(async () => (await group.parked(sick)).length === 2, 'two parked events');
    expect(await group.parked(sick)).toMatchObject([
      { sequence: 2, status: 'failed', tries: 5, error: 'Error: this cannot be done', tenant: 'demo' },
      { sequence: 3, status: 'behind', tries: 0, error: null },
    ]);
    expect(group.attempts.filter((attempt) => attempt.startsWith(`${sick}#2`))).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => `${sick}#2/${attempt}`),
    );
    await eventually(
      async () => (await group.effects(sound)).length === 3,
      'the effects of the other aggregate',
    );
    expect(await group.effects(sick)).toEqual([1]);
  });

  it.each([
    ['an unknown type', { type: 'notification_webhook.repainted' }, /not in the catalogue/],
    ['a version from the future', { version: 99 }, /version 99/],
    ['data that is no JSON', { data: '{' }, /does not fit its schema/],
    [
      'data against the schema',
      { data: '{"object":{},"previous_attributes":null}' },
      /does not fit its schema/,
    ],
  ])('parks %s at once, and never drops it', async (_what, fields, error) => {
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

  it('parks in the group that failed, and in no other', async () => {
    const { bus, groups } = await play.begin(2);
    const [failing, fine] = groups as [StageGroup, StageGroup];
    failing.then = () => {
      throw new Error('this group cannot');
    };
    await Promise.all(groups.map((group) => group.start(bus)));
    const aggregate = aggregateId();

    await published(bus.publish(events(aggregate, 2)));

    await eventually(async () => (await failing.parked(aggregate)).length === 2, 'two parked events');
    await eventually(
      async () => (await fine.effects(aggregate)).length === 2,
      'both effects in the other group',
    );
    expect(await fine.parked(aggregate)).toEqual([]);
  });
}

function replaying(play: Play): void {
  it('replays a parked event and what waits behind it in sequence order, then takes new ones', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    group.then = (event) => {
      if (event.sequence === 1) throw new Error('not yet');
    };
    await group.start(bus);
    await published(bus.publish(events(aggregate, 3)));
    const parked = await eventually(async () => {
      const found = await group.parked(aggregate);
      return found.length === 3 ? found : null;
    }, 'three parked events');

    group.then = () => undefined;
    // Asked for by the last of them: what failed before it runs first.
    const asked = await replayParked(stage.db, [parked[2]?.event_id ?? '']);

    expect(asked).toBe(1);
    await eventually(async () => (await group.parked(aggregate)).length === 0, 'no parked event');
    await published(bus.publish([noticeEnvelope(aggregate, 4)]));
    await eventually(async () => (await group.effects(aggregate)).length === 4, 'all effects');
    expect(await group.effects(aggregate)).toEqual([1, 2, 3, 4]);
  });

  it('leaves an event parked, and what waits behind it, when the replay fails too', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const aggregate = aggregateId();
    group.then = () => {
      throw new Error('never');
    };
    await group.start(bus);
    await published(bus.publish(events(aggregate, 2)));
    await eventually(async () => (await group.parked(aggregate)).length === 2, 'two parked events');

    await replayParked(stage.db, 'all');

    await eventually(async () => (await group.parked(aggregate))[0]?.tries === 10, 'five more tries');
    expect(await group.parked(aggregate)).toMatchObject([
      { sequence: 1, status: 'failed' },
      { sequence: 2, status: 'behind' },
    ]);
    expect(await group.effects(aggregate)).toEqual([]);
  });
}

function outages(play: Play): void {
  it('waits out a lost database for as long as it takes, and parks nothing', async () => {
    const { bus, stage, first: group } = await play.begin(1);
    const flaky = new FlakyTransactions(stage.db);
    await group.start(bus, flaky);
    const aggregate = aggregateId();
    flaky.down = true;

    const outcomes = bus.publish(events(aggregate, 2));
    await eventually(() => flaky.refused > 5, 'more tries than an event has');
    flaky.down = false;

    expect(await published(outcomes)).not.toContain(false);
    await eventually(async () => (await group.effects(aggregate)).length === 2, 'both effects');
    expect(await group.parked(aggregate)).toEqual([]);
    // No try was used up.
    expect(group.attempts).toEqual([`${aggregate}#1/1`, `${aggregate}#2/1`]);
  });
}

function stopping(play: Play): void {
  it('finishes what runs when it is stopped, and has the rest delivered after the next start', async () => {
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
    // A relay publishes again what it has not marked; a log delivers it by itself.
    await published(bus.publish([one, two]));
    await eventually(async () => (await group.effects(aggregate)).length === 2, 'the second effect');
    expect(await group.effects(aggregate)).toEqual([1, 2]);
  });

  it('does not wait for the tries that an event has left', async () => {
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
