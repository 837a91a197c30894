import { Decimal } from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

type Limits = {
  readonly max: number;
  readonly max_unverified: number;
  readonly verified_merchant: boolean;
};

/** The limit of a merchant. A tenant's lower `max` holds for one that is not verified too. */
function limitOf({ max, max_unverified, verified_merchant }: Limits): number {
  return verified_merchant ? max : Math.min(max, max_unverified);
}

/** The first version is reported to begin with the financial year. */
export const upiPerTransactionLimit = definePolicy({
  name: 'upi_per_transaction_limit',
  rule: 'One UPI payment for capital markets (merchant category 6211) is at most this amount, less where the merchant is not verified.',
  versions: [
    {
      from: '2020-04-01',
      until: '2025-09-14',
      parameters: { max: 200_000, max_unverified: 200_000, verified_merchant: false },
      source: [
        {
          title:
            'NPCI circular to UPI members on the limit for capital markets, bills and insurance, as reported by BusinessLine',
          number: null,
          date: '2020-03-03',
          seen: 'secondary',
        },
      ],
    },
    {
      from: '2025-09-15',
      until: null,
      // That the lower limit goes on for merchants that are not verified is our reading.
      parameters: { max: 500_000, max_unverified: 200_000, verified_merchant: false },
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
  tenant: { max: 'at_most', verified_merchant: 'free' },
  bounds: { max: [1, 10_000_000], max_unverified: [1, 10_000_000] },
  refusal: {
    code: 'UPI_LIMIT_EXCEEDED',
    allows: (limits: Limits, { amount }: { readonly amount: Decimal }) =>
      amount.compare(Decimal.parse(String(limitOf(limits)))) <= 0,
    shows: (limits: Limits) => ({ limit: limitOf(limits) }),
    message:
      'UPI takes at most ₹{limit} in one payment (from {from}), not {amount}. Leave out `method` and `upi`, or pay fewer orders at once.',
    investor: {
      en: 'UPI payments are limited to ₹{limit}. Please use net banking.',
      hi: 'UPI से एक बार में अधिकतम ₹{limit} का भुगतान हो सकता है। कृपया नेट बैंकिंग से भुगतान करें।',
    },
  },
  applies_to: ['POST /api/pg/payments/netbanking', 'the hosted page', 'the options of an SDK'],
});
