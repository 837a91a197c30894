import { definePolicy } from './define-policy.ts';

type Asked = { readonly upi_collect_enabled: boolean; readonly on_ios_or_mobile_web: boolean };

/**
 * Mutual funds are not named among the exemptions, though they often have the category 6211 too, of which Razorpay names only IPO and
 * secondary market. Whether one counts is agreed between the operator and its acquirer. So an exemption switches nothing on by itself:
 * `upi_collect_enabled` does, and the exemption says why.
 */
export const upiCollect = definePolicy({
  name: 'upi_collect',
  rule: 'A merchant sends no collect requests, and no mandate is registered by one, unless the merchant is exempt.',
  versions: [
    {
      from: '2026-02-28',
      until: null,
      parameters: {
        exemption: 'none',
        exemptions: [
          'mcc_6012',
          'mcc_6211 (IPO, secondary market)',
          'ios_or_mobile_web (until further notice)',
        ],
      },
      source: [
        {
          title:
            'NPCI guideline to UPI members, as announced by Razorpay (https://razorpay.com/docs/announcements/upi-collect-migration/s2s-integration/), PayU and Decentro',
          number: null,
          date: null,
          seen: 'secondary',
        },
      ],
    },
  ],
  tenant: { exemption: ['mcc_6012', 'mcc_6211', 'ios_or_mobile_web'] },
  refusal: {
    code: 'UPI_COLLECT_DISABLED',
    allows: ({ exemption }, { upi_collect_enabled, on_ios_or_mobile_web }: Asked) =>
      upi_collect_enabled &&
      (exemption === 'ios_or_mobile_web' ? on_ios_or_mobile_web : exemption !== 'none'),
    message:
      'UPI collect requests ended on {from}, except for {exemptions}. Use `upi.type: "uri"`. For an exempt merchant the operator enables upi_collect_enabled and names policies.upi_collect.exemption.',
    investor: {
      en: 'Scan the QR code or open your UPI app; requests to a UPI ID are not possible.',
      hi: 'QR कोड स्कैन करें या UPI ऐप खोलें; UPI ID पर अनुरोध नहीं भेजा जा सकता।',
    },
  },
  applies_to: [
    'POST /api/pg/payments/netbanking',
    'POST /api/pg/payments/emandate/auth',
    'a try on the hosted page',
  ],
});
