import { JsonNumber } from './json.ts';
import { fundUnits } from './fund-units.ts';

describe('a number of units in a request', () => {
  it('may have four decimals', () => {
    expect(fundUnits.parse(new JsonNumber('10.1234')).toString()).toBe('10.1234');
  });

  it.each([
    ['1.12345', 'must be a number with at most 4 decimals'],
    ['0', 'must be greater than 0'],
    ['100000000001', 'must be at most 100000000000.00'],
    ['12345678901234567890', 'must be at most 100000000000.00'],
  ])('is not %s: %s', (text, message) => {
    const { error } = fundUnits.safeParse(new JsonNumber(text));
    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
