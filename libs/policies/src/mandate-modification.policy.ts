import { definePolicy } from './define-policy.ts';

export const mandateModification = definePolicy({
  name: 'mandate_modification',
  rule: "The payer can change a mandate's validity and limit at the issuer, with an additional factor of authentication. The API changes no mandate.",
  versions: [
    {
      from: '2026-04-21',
      until: null,
      parameters: { at: 'issuer', changes: ['mandate_limit', 'valid_to'] },
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
  refusal: null,
  applies_to: [
    "each report of a provider on a mandate's terms",
    'each admission, notice and execution of a debit after it',
    'each plan of the mandate',
  ],
});
