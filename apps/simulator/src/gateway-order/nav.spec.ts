import { Decimal } from '@fundrail/contracts';
import fc from 'fast-check';
import { navOf, unitsFor, valueOf } from './nav.ts';

const isin = fc.stringMatching(/^INF[0-9A-Z]{9}$/);
const amount = fc.integer({ min: 1, max: 10_000_000_000 }).map((paise) => Decimal.ofPaise(paise));

describe("the simulated registrar's prices", () => {
  it('given a scheme, when it is priced twice, then the NAV is the same and between ₹10 and ₹510 (SAND-17)', () => {
    fc.assert(
      fc.property(isin, (scheme) => {
        const nav = navOf(scheme);
        expect(nav.equals(navOf(scheme))).toBe(true);
        expect(nav.compare(Decimal.parse('10'))).toBeGreaterThanOrEqual(0);
        expect(nav.compare(Decimal.parse('510'))).toBeLessThan(0);
      }),
    );
  });

  it('given any amount, when units are allotted, then they have three decimals and are not worth more than the amount', () => {
    fc.assert(
      fc.property(isin, amount, (scheme, rupees) => {
        const nav = navOf(scheme);
        const units = unitsFor(rupees, nav);
        expect(units.places()).toBeLessThanOrEqual(3);
        expect(valueOf(units, nav).compare(rupees)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
