import { crashesAt, kindOf } from './crash-sample.ts';
import { CRASHES, type Crash } from './fault-points.ts';

const crashAt = (point: string): Crash => ({
  name: point,
  fault: { point },
  walk: () => Promise.resolve(),
});

describe('the crashes of a run', () => {
  const sample = crashesAt('sample', CRASHES);
  const serviceOf = ({ fault }: Crash) => fault.point.split('.')[0];
  const phaseOf = (crash: Crash) => kindOf(crash).split(' ')[1];
  const all = (what: (crash: Crash) => unknown, crashes: readonly Crash[]) => new Set(crashes.map(what));

  it.each([
    ['orders.claim.before_commit', 'orders before_commit'],
    ['orders.submit.before_call', 'orders before_call'],
    ['payments.transfer_applied', 'payments applied'],
    ['mandates.notified', 'mandates notified'],
    ['due.handled.order.review', 'due handled'],
    ['due.handled.ask_registrar', 'due handled'],
  ])('%s is a crash of the kind %s', (point, kind) => {
    expect(kindOf(crashAt(point))).toBe(kind);
  });

  it('in a sample reach every service, every phase, every phase of each service, and every walk', () => {
    for (const what of [serviceOf, phaseOf, kindOf, ({ walk }: Crash) => walk])
      expect(all(what, sample)).toEqual(all(what, CRASHES));
  });

  it('in a sample are each one once, in the order of the list, and not half of them', () => {
    expect(CRASHES.filter((crash) => sample.includes(crash))).toEqual(sample);
    expect(sample.length).toBeLessThan(CRASHES.length / 2);
  });

  it('are all of them at the long size, and none by mistake', () => {
    expect(crashesAt('all', CRASHES)).toBe(CRASHES);
    expect(() => crashesAt(undefined, CRASHES)).toThrow('CRASH_POINTS');
  });
});
