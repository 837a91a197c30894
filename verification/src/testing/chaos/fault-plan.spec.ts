import { randomFrom } from '../crash/random.ts';
import { planFaults } from './fault-plan.ts';

const REPLICAS = ['orders-0', 'orders-1', 'payments-0'] as const;
const plan = (count: number, seed = 7) => planFaults(count, REPLICAS, randomFrom(seed));

describe('the faults that a seed draws', () => {
  it('are the same for the same seed, and different for another', () => {
    expect(plan(40)).toEqual(plan(40));
    expect(plan(40)).not.toEqual(plan(40, 8));
  });

  it('are as many as requested, and a longer run starts like a shorter one', () => {
    expect(plan(0)).toEqual([]);
    expect(
      plan(25)
        .slice(0, 11)
        .map(({ kind }) => kind),
    ).toEqual(plan(11).map(({ kind }) => kind));
  });

  it.each([1, 2, 3])(
    'include a kill, a pause, every outage and a bad network in each ten (seed %i)',
    (seed) => {
      for (const from of [0, 10, 20]) {
        const targets = plan(30, seed).slice(from, from + 10);
        expect(targets.map(({ target }) => target)).toEqual(
          expect.arrayContaining(['kafka', 'postgres', 'provider']),
        );
        expect(targets.map(({ kind }) => kind)).toEqual(
          expect.arrayContaining(['kill', 'pause', 'terminate']),
        );
      }
    },
  );

  it('take servers down by a clean stop and by a crash', () => {
    const kinds = plan(200).map(({ kind }) => kind);
    const outages = ['broker_restart', 'broker_crash', 'database_restart', 'database_crash'] as const;
    expect(kinds).toEqual(expect.arrayContaining([...outages]));
  });

  it('have targets that they can happen to', () => {
    const targets = Object.groupBy(plan(400), ({ kind }) => kind);
    const names = (kind: keyof typeof targets) =>
      [...new Set(targets[kind]?.map(({ target }) => target))].sort();
    expect(names('kill')).toEqual([...REPLICAS]);
    expect(names('pause')).toEqual([...REPLICAS]);
    expect(names('broker_restart')).toEqual(['kafka']);
    expect(names('database_crash')).toEqual(['postgres']);
    expect(names('provider_cut')).toEqual(['provider']);
  });

  it('stop a process for 5 s, shorter than the time limits of its callers', () => {
    const pauses = plan(100).filter(({ kind }) => kind === 'pause');
    expect(new Set(pauses.map(({ forMs }) => forMs))).toEqual(new Set([5_000]));
  });
});
