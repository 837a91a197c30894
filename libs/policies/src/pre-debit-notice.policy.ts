import { definePolicy } from './define-policy.ts';

export const preDebitNotice = definePolicy({
  name: 'pre_debit_notice',
  rule: 'The payer is notified of these facts at least these hours before a debit by card, prepaid instrument or UPI. NACH is not concerned.',
  versions: [
    {
      from: '2026-04-21',
      until: null,
      parameters: { least_hours: 24, facts: ['merchant', 'amount', 'time', 'mandate reference', 'reason'] },
      source: [
        {
          title:
            'RBI, Digital Payments: E-mandate Framework, 2026, as reported by https://www.financialexpress.com/business/news-rbi-eases-e-mandate-rules-recurring-payments-up-to-rs-15000-can-be-done-without-otp-pre-and-post-debit-alerts-remain-mandatory-4214431/',
          number: 'RBI/DPSS/2026-27/396',
          date: '2026-04-21',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { least_hours: [24, 168] },
  refusal: null,
  applies_to: ['the start of mandates (DEBIT_NOTICE_HOURS)', 'each notice and each execution of a UPI debit'],
});
