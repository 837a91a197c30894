import { Decimal } from '@fundrail/contracts';
import { definePolicy } from './define-policy.ts';

export const autopayAfaLimit = definePolicy({
  name: 'autopay_afa_limit',
  rule: 'A UPI mandate for mutual funds is debited without a PIN up to this amount, and so has no higher limit.',
  versions: [
    {
      from: '2022-06-16',
      until: '2023-12-11',
      parameters: { max: 15_000 },
      source: [
        {
          title: 'RBI, Processing of e-mandates for recurring transactions, as quoted by Mint',
          number: 'CO.DPSS.POLC.No.S-518/02.14.003/2022-23',
          date: '2022-06-16',
          seen: 'quoted',
        },
      ],
    },
    {
      from: '2023-12-12',
      until: null,
      parameters: { max: 100_000 },
      source: [
        {
          title: 'RBI, Processing of e-mandates for recurring transactions',
          number: 'RBI/2023-24/88',
          date: '2023-12-12',
          seen: 'quoted',
        },
        { title: 'NPCI circular', number: 'OC-151A', date: '2023-12-14', seen: 'quoted' },
        {
          title: 'RBI, Digital Payments: E-mandate Framework, 2026, which keeps it',
          number: 'RBI/DPSS/2026-27/396',
          date: '2026-04-21',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { max: [1, 10_000_000] },
  refusal: {
    code: 'MANDATE_LIMIT_EXCEEDED',
    allows: ({ max }, { mandate_limit }: { readonly mandate_limit: Decimal }) =>
      mandate_limit.compare(Decimal.parse(String(max))) <= 0,
    message: 'A UPI mandate is at most ₹{max} (from {from}), not {mandate_limit}; use `E_MANDATE`.',
    investor: {
      en: 'A UPI mandate can allow ₹{max} at most. Choose a mandate at your bank.',
      hi: 'UPI मैंडेट अधिकतम ₹{max} का हो सकता है। अपने बैंक का मैंडेट चुनें।',
    },
  },
  applies_to: ['POST /api/pg/mandates'],
});
