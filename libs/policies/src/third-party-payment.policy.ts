import { definePolicy } from './define-policy.ts';

/** Not supported: a parent or guardian of a minor (SEBI …/2023/0069, from 2023-06-15), payroll, custodians. */
export const thirdPartyPayment = definePolicy({
  name: 'third_party_payment',
  rule: 'Money for units comes from a bank account of the investor.',
  versions: [
    {
      from: '2022-07-01',
      until: null,
      parameters: { exceptions: [] as string[] },
      source: [
        {
          title: 'SEBI circular, moved to 1 July 2022',
          number: '…/2021/634',
          date: '2021-10-04',
          seen: 'quoted',
        },
        { title: 'AMFI guideline', number: '16/2010-11', date: null, seen: 'quoted' },
      ],
    },
  ],
  tenant: null,
  refusal: {
    code: 'tpv_failed',
    allows: null,
    message: 'The money came from another bank account than `from_bank_account_id`, and is refunded.',
    investor: {
      en: 'The money came from an account that is not yours and goes back.',
      hi: 'पैसा ऐसे खाते से आया जो आपका नहीं है, इसलिए लौटाया जाएगा।',
    },
  },
  applies_to: ['each payment that a provider reports'],
});
