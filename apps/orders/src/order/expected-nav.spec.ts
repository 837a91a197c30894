import { SEEDED_HOLIDAYS } from '@fundrail/contracts';
import { aPendingPurchase, aSubmittedPurchase } from '../testing/purchase.builder.ts';
import { expectedNav, missedNavDate } from './expected-nav.ts';
import type { Order } from './order.ts';

/** A time of Monday, 21 December 2026. */
const at = (time: string) => new Date(`2026-12-21T${time}:00.000+05:30`);
const [MONDAY, TUESDAY] = ['2026-12-21', '2026-12-22'];
const other = { scheme_category: 'other' } as const;
const expected = (row: Order, now: Date) => {
  const { expected_nav_date, expected_nav_basis } = expectedNav(row, now, SEEDED_HOLIDAYS);
  return [expected_nav_date, expected_nav_basis];
};

describe('the expected NAV of an order (ORD-36)', () => {
  it('counts what is not known yet as now, and money as in time until the gateway must have it', () => {
    const row = aPendingPurchase(other);
    expect(expected(row, at('14:45'))).toEqual([MONDAY, 'estimate']);
    expect(expected(row, at('14:46'))).toEqual([TUESDAY, 'estimate']);
    expect(expected({ ...row, scheme_category: 'liquid' }, at('13:16'))).toEqual([MONDAY, 'estimate']);
  });

  it('counts money that was received from its receipt on, whenever it is printed', () => {
    const row = aSubmittedPurchase({ ...other, money_received_at: at('14:45') });
    expect(expected(row, at('23:00'))).toEqual([MONDAY, 'estimate']);
    const late = { ...row, money_received_at: at('14:46') };
    expect(expected(late, at('23:00'))).toEqual([TUESDAY, 'estimate']);
  });

  it('is known by the time at which the money reached the scheme', () => {
    const row = aSubmittedPurchase({ ...other, money_received_at: at('14:40') });
    const settled = (time: string) => expected({ ...row, money_settled_at: at(time) }, at('23:00'));
    expect(settled('15:00')).toEqual([MONDAY, 'funds_realised']);
    expect(settled('15:01')).toEqual([TUESDAY, 'funds_realised']);
  });

  it('of a redemption needs its acceptance only', () => {
    const row: Order = { ...aSubmittedPurchase(other), kind: 'redemption' };
    expect(expected(row, at('23:00'))).toEqual([MONDAY, 'estimate']);
    expect(expected({ ...row, submitted_at: null }, at('23:00'))).toEqual([TUESDAY, 'estimate']);
  });

  it.each<[string, Partial<Order>]>([
    ['without a category', { scheme_category: null }],
    ['that failed', { failed_at: at('11:00') }],
    ['that was cancelled', { cancelled_at: at('11:00') }],
    ['that was processed with money of an unknown time', { succeeded_at: at('11:00') }],
    [
      'that was processed without a submission',
      { succeeded_at: at('11:00'), submitted_at: null, money_settled_at: at('10:30') },
    ],
  ])('is null for an order %s', (_, changes) => {
    expect(expected(aSubmittedPurchase({ ...other, ...changes }), at('12:00'))).toEqual([null, null]);
  });

  it('differs from traded_on only where all times are known', () => {
    const processed = { ...other, succeeded_at: at('16:00'), traded_on: TUESDAY };
    const row = aSubmittedPurchase(processed);
    expect(missedNavDate(row, SEEDED_HOLIDAYS)).toBeNull();
    expect(missedNavDate({ ...row, money_settled_at: at('14:00') }, SEEDED_HOLIDAYS)).toBe(MONDAY);
    expect(missedNavDate({ ...row, money_settled_at: at('15:01') }, SEEDED_HOLIDAYS)).toBeNull();
    expect(missedNavDate({ ...row, kind: 'redemption' }, SEEDED_HOLIDAYS)).toBe(MONDAY);
    const unknown = { ...row, money_settled_at: at('14:00'), scheme_category: null };
    expect(missedNavDate(unknown, SEEDED_HOLIDAYS)).toBeNull();
  });
});
