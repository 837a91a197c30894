import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { BUS_IS_EMPTY } from '@fundrail/service-kit';
import type { ServiceClient } from '@fundrail/service-kit/http';
import { QuietWatch } from './quiet-watch.ts';

const REST = {
  ...{ due: 0, background: 0, unpublished: 0, unconsumed: 0, in_flight: 0 },
  ...{ last_written: null, last_consumed: null, earliest_due_at: null, earliest_planned_at: null },
  objects: [],
};

/** Services that are idle, except for those that have so many answers left in which work is due. Such a one then writes `writes`. */
class PlayedServices {
  readonly asked: ServiceName[] = [];
  /** Who is to ask the bus. */
  readonly askingBus: ServiceName[] = [];
  constructor(
    private readonly busy: Partial<Record<ServiceName, number>>,
    private readonly writes: string | null = null,
  ) {}

  readonly call: ServiceClient['call'] = (name, { answer, headers }) => {
    this.asked.push(name);
    if (headers?.[BUS_IS_EMPTY] !== 'true') this.askingBus.push(name);
    const left = this.busy[name] ?? 0;
    this.busy[name] = Math.max(0, left - 1);
    const last_written = left === 0 && name in this.busy && this.writes !== null ? this.writes : null;
    return Promise.resolve(answer.parse({ ...REST, due: left > 0 ? 1 : 0, last_written }));
  };
}

describe('the watch over a step of the clock (CLOCK-9)', () => {
  const watching = (services: PlayedServices) =>
    new QuietWatch(services, new Date(), new AbortController().signal);
  const watched = async (busy: Partial<Record<ServiceName, number>>, expected: readonly ServiceName[]) => {
    const services = new PlayedServices(busy);
    const round = await watching(services).quiet(expected, null);
    expect([...round.keys()]).toEqual(SERVICES);
    expect(services.askingBus).toEqual(services.asked);
    return services.asked;
  };
  const ROUND = [...SERVICES];

  it('given idle services, when it begins, then it asks all of them in two rounds', async () => {
    expect(await watched({}, [])).toEqual([...ROUND, ...ROUND]);
  });

  it('given a busy service, when a round has found it, then it alone is asked until it is idle, and then two rounds follow', async () => {
    const alone = ['payments', 'payments', 'payments'];
    expect(await watched({ payments: 3 }, [])).toEqual([...ROUND, ...alone, ...ROUND, ...ROUND]);
  });

  it('given a service with a step, when it begins, then that one is asked before the first round', async () => {
    expect(await watched({ orders: 1 }, ['orders'])).toEqual(['orders', 'orders', ...ROUND, ...ROUND]);
  });

  describe('after a step from a quiet round', () => {
    const after = async (services: PlayedServices, expected: readonly ServiceName[]) => {
      const last = await watching(new PlayedServices({})).quiet([], null);
      await watching(services).quiet(expected, last);
      return services;
    };

    it('given a step that writes no event, when it is watched, then it takes two rounds, and no service asks the bus', async () => {
      const { asked, askingBus } = await after(new PlayedServices({ orders: 1 }), ['orders']);
      expect(asked).toEqual(['orders', 'orders', ...ROUND, ...ROUND]);
      expect(askingBus).toEqual([]);
    });

    it('given a step that writes an event, when its mark is seen, then two rounds follow in which each service asks the bus', async () => {
      const { asked, askingBus } = await after(new PlayedServices({ orders: 1 }, '4'), ['orders']);
      expect(asked).toEqual(['orders', 'orders', ...ROUND, ...ROUND]);
      expect(askingBus).toEqual([...ROUND, ...ROUND]);
    });

    it('given an event of another service, when a round sees its mark, then that round does not count', async () => {
      const { asked, askingBus } = await after(new PlayedServices({ payments: 0 }, '4'), []);
      expect(asked).toEqual([...ROUND, ...ROUND, ...ROUND]);
      expect(askingBus).toEqual([...ROUND, ...ROUND]);
    });
  });
});
