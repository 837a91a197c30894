import { definePolicy } from './define-policy.ts';

export const debitOptOut = definePolicy({
  name: 'debit_opt_out',
  rule: 'The payer can refuse one debit before it is executed, and keep the mandate.',
  versions: [
    {
      from: '2026-04-21',
      until: null,
      parameters: { until: 'execution', mandate: 'kept' },
      source: [
        {
          title: 'RBI, Digital Payments: E-mandate Framework, 2026',
          number: 'RBI/DPSS/2026-27/396',
          date: '2026-04-21',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  refusal: {
    code: 'debit_opted_out',
    allows: null,
    message: 'The investor refused this debit; the mandate is in force.',
    investor: {
      en: 'You skipped this debit. No money was taken.',
      hi: 'आपने यह कटौती रोक दी। कोई पैसा नहीं लिया गया।',
    },
  },
  applies_to: [
    'each notice of a UPI debit that a provider reports as refused',
    'each execution of a UPI debit',
  ],
});
