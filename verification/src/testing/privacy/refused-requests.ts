import { signCallback, SIGNATURE_HEADER } from '@fundrail/providers';
import { RAZORPAY_SIGNATURE_HEADER, signWebhook } from '@fundrail/providers/sdkvendor';
import type { ApiClient } from '../api-client.ts';
import { MARKS } from './marks.ts';

/** The secrets with which the providers of a test sign their reports. */
export const WEBHOOK_SECRETS = {
  GATEWAYPOA_WEBHOOK_SECRET: 'gatewaypoa-webhook-secret-of-a-test',
  SDKVENDOR_WEBHOOK_SECRET: 'sdkvendor-webhook-secret-of-a-test',
} as const;

/** A request that has to be refused. It contains personal data that the answer may not repeat. */
export interface RefusedRequest {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const CONSENT = { email: MARKS.vpa, isd_code: '91', mobile: MARKS.mobile };
const PROFILE = { name: MARKS.name, pan: MARKS.pan, date_of_birth: MARKS.date_of_birth };
const MOBILE = { isd_code: '91', number: MARKS.mobile };
const BANK = {
  ...{ profile: 'invp_1', primary_account_holder_name: MARKS.name, type: 'savings' },
  ...{ account_number: MARKS.account_number, ifsc_code: 'HDFC0000001' },
};
const UNKNOWN = '0'.repeat(32);

type Asked = readonly [what: string, method: string, path: string, body: object | null];

const ASKED: readonly Asked[] = [
  ['a PAN', 'POST', '/v2/investor_profiles', { ...PROFILE, mobile: MOBILE, pan: `${MARKS.pan}X` }],
  ['an e-mail', 'POST', '/v2/investor_profiles', { ...PROFILE, mobile: MOBILE, email: `${MARKS.email}@` }],
  [
    ...(['a mobile number', 'POST', '/v2/investor_profiles'] as const),
    { ...PROFILE, mobile: { ...MOBILE, number: `${MARKS.mobile}x` } },
  ],
  [
    ...(['a date of birth', 'POST', '/v2/investor_profiles'] as const),
    { ...PROFILE, mobile: MOBILE, date_of_birth: `${MARKS.date_of_birth}T` },
  ],
  ['an account', 'POST', '/v2/bank_accounts', { ...BANK, ifsc_code: 'ZQMK0000001' }],
  [
    ...(['an account number', 'POST', '/v2/bank_accounts'] as const),
    { ...BANK, account_number: `${MARKS.account_number} x` },
  ],
  ['a phone', 'POST', '/v2/phone_numbers', { profile: 'invp_1', isd: '91', number: `${MARKS.mobile}x` }],
  ['an address', 'POST', '/v2/addresses', { profile: 'invp_1', line1: MARKS.name, country: MARKS.pan }],
  [
    'a nominee',
    'POST',
    '/v2/related_parties',
    { profile: `invp_${UNKNOWN}`, name: MARKS.name, pan: MARKS.email },
  ],
  ['a consent', 'PATCH', '/v2/mf_purchases', { id: `mfp_${UNKNOWN}`, consent: CONSENT }],
  [
    ...(["an investor's address", 'POST', '/v2/mf_purchases'] as const),
    {
      mf_investment_account: `mfia_${UNKNOWN}`,
      scheme: 'INF209K01VD7',
      amount: 5000,
      user_ip: `${MARKS.user_ip}/x`,
    },
  ],
  [
    ...(['a UPI ID', 'POST', '/api/pg/payments/netbanking'] as const),
    { amc_order_ids: [1], method: 'UPI', upi: { type: 'collect', vpa: `${MARKS.vpa} x` } },
  ],
  ['a path', 'GET', `/v2/investor_profiles/${MARKS.pan}`, null],
  ['an unknown path', 'GET', `/v2/nothing/${MARKS.pan}`, null],
  ['a parameter', 'GET', `/v2/mf_purchases?email=${encodeURIComponent(MARKS.email)}`, null],
];

/** A report with personal data in every field, also in fields that are never read. */
const REPORT = {
  ...{ event_id: { pan: MARKS.pan }, reference: MARKS.vpa, order: MARKS, payment: MARKS, plan: MARKS },
  ...{ mandate: MARKS, entity: 'event', event: MARKS.name, payload: { payment: { entity: MARKS } } },
};
const CALLBACKS = [
  'gatewaypoa/orders',
  'gatewaypoa/payments',
  'gatewaypoa/mandates',
  'gatewaypoa/plans',
  'sdkvendor',
];

/** All of them, for the client's token. Reports of the providers are either forged, or well signed but unreadable. */
export function refusedRequests({ token }: Pick<ApiClient, 'token'>): RefusedRequest[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = ASKED.map(([what, method, path, body]) => ({
    ...{ what, method, path, body: body && JSON.stringify(body) },
    headers: body ? headers : { authorization: headers.authorization },
  }));
  const noJson = { what: 'a body that is not JSON', method: 'POST', path: '/v2/investor_profiles', headers };
  return [...asked, { ...noJson, body: `{"pan":"${MARKS.pan}", zqmark` }, ...CALLBACKS.flatMap(reports)];
}

function reports(sender: string): RefusedRequest[] {
  const body = JSON.stringify(REPORT);
  const report = { method: 'POST', path: `/callbacks/${sender}`, body };
  const [name, signature, forged] =
    sender === 'sdkvendor'
      ? [RAZORPAY_SIGNATURE_HEADER, signWebhook(WEBHOOK_SECRETS.SDKVENDOR_WEBHOOK_SECRET, body), MARKS.pan]
      : [
          SIGNATURE_HEADER,
          signCallback(WEBHOOK_SECRETS.GATEWAYPOA_WEBHOOK_SECRET, body, new Date()),
          `v1=${MARKS.pan}`,
        ];
  const type = { 'content-type': 'application/json' };
  return [
    { ...report, what: `a forged report of ${sender}`, headers: { ...type, [name]: forged } },
    { ...report, what: `an unreadable report of ${sender}`, headers: { ...type, [name]: signature } },
  ];
}
