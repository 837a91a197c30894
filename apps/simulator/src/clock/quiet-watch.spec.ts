import { SERVICES, type ServiceName } from '@fundrail/contracts';
import type { ServiceClient } from '@fundrail/service-kit/http';
import { QuietWatch } from './quiet-watch.ts';

const REST = {
  ...{ due: 0, background: 0, unpublished: 0, unconsumed: 0, in_flight: 0 },
  ...{ last_written: null, last_consumed: null, earliest_due_at: null, earliest_planned_at: null },
  objects: [],
};

/** Services that are idle, except for those that have so many answers left in which work is due. */
class PlayedServices {
  readonly asked: ServiceName[] = [];
  constructor(private readonly busy: Partial<Record<ServiceName, number>>) {}

  readonly call: ServiceClient['call'] = (name, { answer }) => {
    this.asked.push(name);
    const left = this.busy[name] ?? 0;
    this.busy[name] = Math.max(0, left - 1);
    return Promise.resolve(answer.parse({ ...REST, due: left > 0 ? 1 : 0 }));
  };
}

describe('the watch over a step of the clock (CLOCK-9)', () => {
  const watched = async (busy: Partial<Record<ServiceName, number>>, expected: readonly ServiceName[]) => {
    const services = new PlayedServices(busy);
    const watch = new QuietWatch(services, new Date(), new AbortController().signal);
    const round = await watch.quiet(expected);
    expect([...round.keys()]).toEqual(SERVICES);
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
});
