import { linesOf, progressOf, verdictOf } from './report.ts';

const end = (over: object) =>
  JSON.stringify({ service: 'orders', looked: 12, repaired: 0, open: 0, undone: [], ...over });

describe('the readable report of reconcile', () => {
  it.each([
    [end({}), 'orders     12 compared, all agree'],
    [end({ repaired: 2, open: 1 }), 'orders     12 compared, 2 repaired, 1 left for a person'],
    [end({ undone: ['order_differs'] }), 'orders     12 compared, not compared: order_differs'],
    ['orders: the run has not ended', 'orders: the run has not ended'],
  ])('of %s is: %s', (last, line) => {
    expect(linesOf([], last)).toEqual([line]);
  });

  it('lists each finding below its service', () => {
    const found = {
      service: 'orders',
      kind: 'event_gap',
      object: 'mfp_1',
      tenant: 'demo',
      state: 'open',
      facts: { n: 2 },
    };
    expect(linesOf([JSON.stringify(found)], end({ open: 1 }))).toEqual([
      'orders     12 compared, 1 left for a person',
      '           open: event_gap mfp_1 {"n":2}',
    ]);
  });

  it('shows which services it waits for, and what its exit code means', () => {
    expect(progressOf(['orders', 'plans'], 7)).toBe('waiting for orders, plans (7 s)');
    expect(new Set([0, 1, 2].map(verdictOf)).size).toBe(3);
  });
});
