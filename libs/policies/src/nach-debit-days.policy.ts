import { definePolicy } from './define-policy.ts';

/** The rule allows every day. That a first debit waits for a business day is our default, which a tenant's choice replaces (DEB-12). */
export const nachDebitDays = definePolicy({
  name: 'nach_debit_days',
  rule: 'NACH settles on every day of the year. A first debit waits for a business day where nothing else is chosen, a retry does not.',
  versions: [
    {
      from: '2021-08-01',
      until: null,
      parameters: { first_on: 'business_day', retries_on: 'calendar_day' },
      source: [
        {
          title: 'RBI, Statement on Developmental and Regulatory Policies',
          number: null,
          date: '2021-06-04',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: { first_on: ['business_day', 'calendar_day'] },
  refusal: null,
  applies_to: ['each execution of an e-mandate'],
  isNeeded: true,
});
