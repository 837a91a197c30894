import { definePolicy } from './define-policy.ts';

/** The interface asks for plans that a mandate pays, so they are taken unless the operator, on advice of counsel, chooses otherwise. */
export const mandateSubscriptionsOnly = definePolicy({
  name: 'mandate_subscriptions_only',
  rule: 'A mandate for mutual funds serves subscriptions and nothing else; ask your counsel whether your platform is bound by it.',
  versions: [
    {
      from: '2022-07-01',
      until: null,
      parameters: { mode: 'allow' },
      source: [
        {
          title: 'SEBI circular on transactions through exchange platforms, moved to 1 July 2022',
          number: '…/2022/29',
          date: '2022-03-15',
          seen: 'quoted',
        },
      ],
    },
  ],
  tenant: { mode: ['refuse', 'allow'] },
  refusal: {
    code: 'MANDATE_FOR_SUBSCRIPTIONS_ONLY',
    allows: ({ mode }, { by_mandate }: { readonly by_mandate: boolean }) => mode === 'allow' || !by_mandate,
    message:
      'A mandate serves subscriptions only (from {from}). Leave out `payment_method`: a withdrawal needs no debit.',
    investor: {
      en: 'A mandate can only be used to invest.',
      hi: 'मैंडेट का उपयोग केवल निवेश के लिए हो सकता है।',
    },
  },
  applies_to: ['POST /v2/mf_redemption_plans'],
});
