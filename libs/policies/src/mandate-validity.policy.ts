import { Decimal } from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

/** A later end date is a 400 with the field `valid_to`. The years count from `valid_from`, on which the debits may begin. */
export const mandateValidity = definePolicy({
  name: 'mandate_validity',
  rule: 'A mandate has an end date, at most these years after its issue, and an e-mandate allows at most this amount.',
  versions: [
    {
      from: '2023-10-01',
      until: null,
      parameters: { years: 30, max: 10_000_000 },
      source: [
        { title: 'NPCI NACH Circular 008: the end date', number: null, date: null, seen: 'secondary' },
        {
          title: 'MF Utilities, frequent questions: the amount',
          number: null,
          date: null,
          seen: 'secondary',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { years: [1, 100], max: [1, 1_000_000_000] },
  refusal: {
    code: 'MANDATE_LIMIT_EXCEEDED',
    allows: ({ max }, { mandate_limit }: { readonly mandate_limit: Decimal }) =>
      mandate_limit.compare(Decimal.parse(String(max))) <= 0,
    message:
      'An e-mandate is at most ₹{max} (from {from}), not {mandate_limit}; give a lower `mandate_limit`.',
    investor: {
      en: 'A mandate at your bank can allow ₹{max} at most. Choose a lower amount.',
      hi: 'बैंक का मैंडेट अधिकतम ₹{max} का हो सकता है। कम राशि चुनें।',
    },
  },
  applies_to: ['POST /api/pg/mandates'],
  isNeeded: true,
});
