import { Decimal, SEEDED_HOLIDAYS, type SchemeCategory } from '@fundrail/contracts';
import { payByOf } from './pay-by.ts';

type Payment = Parameters<typeof payByOf>[0];

/** A payment of orders of these categories. */
function ofCategories(...categories: (SchemeCategory | null)[]): Payment {
  const share = { payment_id: 1, old_id: 1, tenant: 'demo', order_id: 'mfp_1', live: true } as const;
  return {
    orders: categories.map((scheme_category) => ({
      ...{ ...share, scheme: null, scheme_category, display_name: null },
      amount: Decimal.parse('5000'),
    })),
  };
}

describe('until when to pay for which NAV (PAGE-16)', () => {
  it.each<[string, (SchemeCategory | null)[], string, [string, string] | null]>([
    ['an order in the morning', ['other'], '2026-12-21T10:00:00.000', ['14:45', '2026-12-21']],
    ['an order at 14:45', ['other'], '2026-12-21T14:45:00.000', ['14:45', '2026-12-21']],
    ['an order one millisecond later', ['other'], '2026-12-21T14:45:00.001', null],
    ['a liquid scheme on Monday', ['liquid'], '2026-12-21T13:15:00.000', ['13:15', '2026-12-20']],
    ['a liquid scheme one millisecond later', ['liquid'], '2026-12-21T13:15:00.001', null],
    ['orders that agree', ['liquid', 'overnight'], '2026-12-21T10:00:00.000', ['13:15', '2026-12-20']],
    ['orders that differ', ['other', 'liquid'], '2026-12-21T10:00:00.000', null],
    ['an order without a category', ['other', null], '2026-12-21T10:00:00.000', null],
    ['an order on Sunday', ['other'], '2026-12-20T10:00:00.000', null],
    ['an order on Christmas Day', ['other'], '2026-12-25T10:00:00.000', null],
  ])('given %s (%j) at %s: %j', (_, categories, time, expected) => {
    const payBy = payByOf(ofCategories(...categories), new Date(`${time}+05:30`), SEEDED_HOLIDAYS);
    expect(payBy && [payBy.time, payBy.nav_date]).toEqual(expected);
  });
});
