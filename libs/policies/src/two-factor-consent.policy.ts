import { definePolicy } from './define-policy.ts';

type Figures = {
  readonly evidence: string;
  readonly max_age_minutes: number;
  readonly orders: string[];
};
type Asked = { readonly order: string; readonly has_evidence: boolean };

const SOURCE = {
  title: 'SEBI, Two-Factor Authentication for transactions in units of mutual funds',
  number: 'SEBI/HO/IMD/IMD-I DOF1/P/CIR/2022/132',
  date: '2022-09-30',
  seen: 'text',
} as const;

/** Whether the tenant, the AMC or the registrar makes the two factors is agreed between them, so the proof is optional until chosen otherwise. */
export const twoFactorConsent = definePolicy({
  name: 'two_factor_consent',
  rule: 'An online order needs two factors of the investor, one an OTP to the contact that the AMC or the registrar has; a plan at its registration only.',
  versions: [
    {
      from: '2022-06-01',
      until: '2023-03-31',
      parameters: { evidence: 'optional', max_age_minutes: 30, orders: ['redemption'] },
      source: [SOURCE],
    },
    {
      from: '2023-04-01',
      until: null,
      parameters: { evidence: 'optional', max_age_minutes: 30, orders: ['purchase', 'redemption'] },
      source: [SOURCE],
    },
  ],
  tenant: { evidence: ['optional', 'required'], max_age_minutes: 'at_most' },
  bounds: { max_age_minutes: [1, 1_440] },
  refusal: {
    code: 'TWO_FACTOR_MISSING',
    allows: ({ evidence, orders }: Figures, { order, has_evidence }: Asked) =>
      evidence === 'optional' || has_evidence || !orders.includes(order),
    message:
      '`consent.evidence` is required for this tenant (from {from}): the proof of the OTP that the investor has entered.',
    investor: {
      en: 'Please confirm with the OTP sent to you.',
      hi: 'पंजीकृत मोबाइल या ई-मेल पर आए OTP से पुष्टि करें।',
    },
  },
  applies_to: ['PATCH /v2/mf_purchases', 'PATCH /v2/mf_redemptions', 'the consent of a plan'],
});
