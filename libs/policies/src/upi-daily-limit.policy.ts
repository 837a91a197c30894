import { Decimal } from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

/** The payer's bank keeps count and judges. We know only what the account pays through us, so our check spares a refusal that is sure. */
export const upiDailyLimit = definePolicy({
  name: 'upi_daily_limit',
  rule: 'All UPI payments of one payer for capital markets (merchant category 6211) within 24 hours are at most this amount.',
  versions: [
    {
      from: '2025-09-15',
      until: null,
      parameters: { max: 1_000_000, check: 'on' },
      source: [
        {
          title: 'NPCI circular, addendum to OC-185',
          number: null,
          date: '2025-08-28',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: { check: ['on', 'off'] },
  bounds: { max: [1, 100_000_000] },
  refusal: {
    code: 'UPI_DAILY_LIMIT_EXCEEDED',
    allows: ({ max, check }, { total }: { readonly total: Decimal }) =>
      check === 'off' || total.compare(Decimal.parse(String(max))) <= 0,
    message:
      'The account would pay {total} by UPI in 24 hours; the limit is ₹{max} (from {from}). Leave out `method` and `upi`, or pay later.',
    investor: {
      en: 'The UPI limit of ₹{max} in 24 hours is reached. Please use net banking.',
      hi: '24 घंटे की ₹{max} की UPI सीमा पूरी हो गई है। कृपया नेट बैंकिंग से भुगतान करें।',
    },
  },
  applies_to: ['POST /api/pg/payments/netbanking', 'the hosted page', 'the options of an SDK'],
});
