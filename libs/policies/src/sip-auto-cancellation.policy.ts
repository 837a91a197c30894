import { definePolicy } from './define-policy.ts';

/** Skipped installments, and those that the client cancels or a gateway refuses, are not counted (SIP-17). */
export const sipAutoCancellation = definePolicy({
  name: 'sip_auto_cancellation',
  rule: 'A purchase plan ends after this many installments in a row that were not paid: fewer when they are quarterly or rarer.',
  versions: [
    {
      from: '2024-04-01',
      until: null,
      parameters: { failures: 3, failures_quarterly_or_longer: 2 },
      source: [
        {
          title:
            'SEBI letter on the cancellation of SIPs, as the documentation of Fintech Primitives describes it',
          number: 'SEBI/HO/OW/IMD/IMD-SEC1/P/2024/270/1',
          date: '2024-01-03',
          seen: 'secondary',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { failures: [1, 100], failures_quarterly_or_longer: [1, 100] },
  unfit: ({ failures, failures_quarterly_or_longer: rarer }) =>
    rarer <= failures ? null : 'failures_quarterly_or_longer must be at most failures',
  refusal: null,
  applies_to: ['each unpaid installment of a purchase plan', 'POST /v2/mf_purchase_plans/:id/pause'],
  isNeeded: true,
});
