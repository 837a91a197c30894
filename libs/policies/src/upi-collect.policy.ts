import { definePolicy } from './define-policy.ts';

/**
 * Mutual funds are not named among the exemptions, though they often have the category 6211 too. Whether one counts is agreed between the
 * operator and its acquirer, so no category switches anything on.
 */
export const upiCollect = definePolicy({
  name: 'upi_collect',
  rule: 'A merchant sends no collect requests, and no mandate is registered by one, unless the merchant is exempt.',
  versions: [
    {
      from: '2026-02-28',
      until: null,
      parameters: {
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
  tenant: null,
  refusal: {
    code: 'UPI_COLLECT_DISABLED',
    allows: (_, { upi_collect_enabled }: { readonly upi_collect_enabled: boolean }) => upi_collect_enabled,
    message:
      'UPI collect requests ended on {from}, except for {exemptions}. Use `upi.type: "uri"`. For an exempt merchant the operator enables the setting upi_collect_enabled.',
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
