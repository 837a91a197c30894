import { mutualFundIsin } from '@fundrail/contracts';
import { KNOWN_SCHEMES, schemeNameOf } from './schemes.ts';

describe('the names of schemes', () => {
  it.each(KNOWN_SCHEMES)(
    '%s is an ISIN with a correct check digit, and its fund house is known',
    (scheme) => {
      expect(mutualFundIsin.safeParse(scheme).success).toBe(true);
      expect(schemeNameOf({ scheme, display_name: null })?.house).toMatch(/Mutual Fund$/);
    },
  );

  it('given a scheme of the table, when its name is read, then it has its name and its fund house', () => {
    expect(schemeNameOf({ scheme: 'INF209K01VD7', display_name: null })).toEqual({
      name: 'Aditya Birla Sun Life Liquid Fund - Direct Plan',
      house: 'Aditya Birla Sun Life Mutual Fund',
    });
  });

  it('given a name from the client, when the name of the order is read, then it is the client’s, and the fund house is the scheme’s', () => {
    expect(schemeNameOf({ scheme: 'INF209K01VD7', display_name: 'My savings' })).toEqual({
      name: 'My savings',
      house: 'Aditya Birla Sun Life Mutual Fund',
    });
  });

  it.each([
    ['a scheme that is not in the table', 'INF173K01FE6', 'Sundaram Mutual Fund'],
    ['a house that is not in the table', 'INF966L01AA0', null],
    ['a key that every object has', 'constructor', null],
  ])('given %s, when its name is read, then it is the code', (_, scheme, house) => {
    expect(schemeNameOf({ scheme, display_name: null })).toEqual({ name: scheme, house });
  });

  it('given a share of an earlier release, when its name is read, then there is none', () => {
    expect(schemeNameOf({ scheme: null, display_name: null })).toBeNull();
  });
});
