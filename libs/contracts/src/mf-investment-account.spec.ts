import { changeUpstreamAccount } from './mf-investment-account.dto.ts';

describe("a nominee's share in the folio defaults of the upstream (COMP-12)", () => {
  const read = (share: unknown) =>
    changeUpstreamAccount.safeParse({ folio_defaults: { nominee1_allocation_percentage: share } }).data
      ?.folio_defaults;

  it.each([
    [33.5, 33.5],
    ['100', 100],
    ['33.50', 33.5],
    [null, null],
  ])('may be %j, also as a string (CONV-40)', (share, percentage) => {
    expect(read(share)).toEqual({ nominee1_allocation_percentage: percentage });
  });

  it.each([0, '0', -1, '-1', 100.01, '100.01', '1e2', '', ' 5', true])('may not be %j', (share) => {
    expect(read(share)).toBeUndefined();
  });
});
