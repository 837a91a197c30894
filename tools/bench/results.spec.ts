import { compareResults } from '../../bench/results.ts';

describe('the comparison of two results', () => {
  const before = {
    bench: 'walk',
    purchases_ps: 60,
    cpu_ms_per_purchase: 10,
    cpu_by_process: { orders: 2, payments: 3 },
    rss_mb_by_process: { orders: 100 },
  };

  it('has no line for equal figures', () => {
    expect(compareResults(before, { ...before, bench: 'other words' })).toEqual([]);
  });

  it('marks a change of processor time per purchase above 10 %, in both directions', () => {
    const after = { ...before, cpu_ms_per_purchase: 11.1, cpu_by_process: { orders: 1.7, payments: 3 } };
    expect(compareResults(before, after)).toEqual([
      'cpu_ms_per_purchase: 10 → 11.1 (+11.0 %)  <-- more than 10 %',
      'cpu_by_process.orders: 2 → 1.7 (-15.0 %)  <-- more than 10 %',
    ]);
  });

  it('prints and does not mark a change of 10 % and of what is no processor time', () => {
    const after = {
      ...before,
      purchases_ps: 30,
      cpu_ms_per_purchase: 11,
      rss_mb_by_process: { orders: 300 },
    };
    expect(compareResults(before, after)).toEqual([
      'purchases_ps: 60 → 30 (-50.0 %)',
      'cpu_ms_per_purchase: 10 → 11 (+10.0 %)',
      'rss_mb_by_process.orders: 100 → 300 (+200.0 %)',
    ]);
  });

  it('prints a figure that only one of them has', () => {
    expect(compareResults(before, { ...before, cpu_by_process: { orders: 2, edge: 1 } })).toEqual([
      'cpu_by_process.payments: 3 → not there',
      'cpu_by_process.edge: not there → 1',
    ]);
  });
});
