import { definePolicy } from './define-policy.ts';

export const autopayWindows = definePolicy({
  name: 'autopay_windows',
  rule: 'Autopay is executed outside of the peak hours only (IST), with one attempt and up to three retries.',
  versions: [
    {
      from: '2025-08-01',
      until: null,
      // 21:30 to 10:00 is one window over midnight: two hours later the account would still be empty.
      parameters: { peak: '10:00-13:00,17:00-21:30', windows: '13:00-17:00,21:30-10:00', attempts: 4 },
      source: [
        {
          title:
            'NPCI circular to UPI members on the usage of UPI APIs, as reported by https://www.digit.in/news/general/upi-alert-npcis-new-rules-kick-in-from-august-1-heres-what-changes.html and https://docs.payu.in/docs/upi-integration-tpv-with-s2s-flow',
          number: null,
          date: '2025-05-21',
          seen: 'secondary',
        },
      ],
    },
  ],
  tenant: null,
  bounds: { attempts: [1, 10] },
  refusal: null,
  applies_to: ['the start of mandates (DEBIT_WINDOWS, DEBIT_MOST_ATTEMPTS)', 'each execution of a UPI debit'],
});
