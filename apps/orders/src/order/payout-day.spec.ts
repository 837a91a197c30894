import { payoutDayOf } from './payout-day.ts';

it('keeps the last day of a payout where the policy has no rule for the day of the redemption (ORD-37)', () => {
  const day = (traded_on: string) =>
    payoutDayOf({
      ...{ state: 'successful', traded_on, is_overseas: false },
      ...{ payout_due_date: '2026-12-31', paid_out_at: null },
    });
  expect(day('2000-01-03')).toBe('2026-12-31');
  expect(day('2026-11-02')).toBe('2026-11-05');
});
