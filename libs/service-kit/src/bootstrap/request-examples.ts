import type { OpenAPIObject } from '@nestjs/swagger';

/** Ids of the examples: the part after the prefix. A client puts its own ids there; the reader in the sandbox puts the seeded ones. */
const ID = '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const [INVESTOR, BANK, ACCOUNT] = [`invp_${ID}`, `bac_${ID}`, `mfia_${ID}`];
const [PURCHASE, REDEMPTION] = [`mfp_${ID}`, `mfrd_${ID}`];
const [REDEMPTION_PLAN, PURCHASE_PLAN] = [`mfr_${ID}`, `mfpp_${ID}`];
const [OLD_ID, BANK_ID, MANDATE_ID] = [1001, 1, 1];

/** No secret stands in the document. The reader in the sandbox puts the seeded one there, and Postman's collection a variable. */
const CLIENT_SECRET = 'the-secret-of-the-client';

const EMAIL = 'asha.rao@example.com';
const MOBILE = { isd_code: '91', number: '9876543210' };
const CONSENT = { email: EMAIL, isd_code: '91', mobile: '9876543210' };
const ADDRESS = {
  line1: '12 MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postal_code: '411001',
  country: 'IN',
};
const FOLIO_DEFAULTS = { communication_email_address: EMAIL, payout_bank_account: BANK };
const ORDER = { mf_investment_account: ACCOUNT, scheme: 'INF209K01VD7' };
const PURCHASE_OF_5000 = { ...ORDER, amount: 5000 };
const REDEMPTION_OF_2000 = { ...ORDER, folio_number: '91012345678', amount: 2000 };
const PLAN = {
  ...{ ...ORDER, amount: 1000, systematic: true, frequency: 'monthly' },
  ...{ installment_day: 5, number_of_installments: 240 },
};
const CANCELLATION = { cancellation_code: 'invest_later' };
const SKIP = { from: '2045-01-01', to: '2045-02-28' };
const POSTBACK = 'https://app.example.com/paid';
const ENDPOINT = { url: 'http://localhost:8080/webhooks', events: ['mf_purchase.*', 'payment.*'] };

/** A body for each operation that reads JSON or a form, by the operation's name. An end-to-end test sends each (OPS-11). */
const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  issueToken: { grant_type: 'client_credentials', client_id: 'demo', client_secret: CLIENT_SECRET },
  createInvestorProfile: {
    ...{ name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth: '1990-05-17' },
    ...{ email: EMAIL, mobile: MOBILE },
  },
  updateInvestorProfile: { id: INVESTOR, email: EMAIL },
  updateInvestorProfileById: { email: EMAIL, mobile: MOBILE },
  createPhoneNumber: { profile: INVESTOR, isd: '91', number: '9876543210', belongs_to: 'self' },
  createEmailAddress: { profile: INVESTOR, email: EMAIL, belongs_to: 'self' },
  createAddress: { profile: INVESTOR, ...ADDRESS, nature: 'residential' },
  createRelatedParty: {
    profile: INVESTOR,
    name: 'Ravi Rao',
    relationship: 'spouse',
    date_of_birth: '1988-11-02',
  },
  createBankAccount: {
    ...{ profile: INVESTOR, primary_account_holder_name: 'Asha Rao', account_number: '50100012345678' },
    ...{ type: 'savings', ifsc_code: 'HDFC0001330' },
  },
  createMfInvestmentAccount: { primary_investor: INVESTOR, folio_defaults: FOLIO_DEFAULTS },
  updateMfInvestmentAccount: { id: ACCOUNT, folio_defaults: FOLIO_DEFAULTS },
  updateMfInvestmentAccountById: { folio_defaults: FOLIO_DEFAULTS },

  createMfPurchase: PURCHASE_OF_5000,
  createMfPurchases: { mf_purchases: [PURCHASE_OF_5000, { ...PURCHASE_OF_5000, amount: 2500 }] },
  updateMfPurchase: { id: PURCHASE, consent: CONSENT },
  updateMfPurchaseById: { consent: CONSENT },
  updateMfPurchases: { mf_purchases: [{ id: PURCHASE, consent: CONSENT }] },
  createMfRedemption: REDEMPTION_OF_2000,
  createMfRedemptions: { mf_redemptions: [REDEMPTION_OF_2000] },
  updateMfRedemption: { id: REDEMPTION, consent: CONSENT },
  updateMfRedemptionById: { consent: CONSENT },
  updateMfRedemptions: { mf_redemptions: [{ id: REDEMPTION, consent: CONSENT }] },

  createPayment: {
    ...{ amc_order_ids: [OLD_ID], method: 'UPI', upi: { type: 'uri' }, bank_account_id: BANK_ID },
    payment_postback_url: POSTBACK,
  },
  createPaymentRefund: { amc_order_ids: [OLD_ID] },
  createMandate: { mandate_type: 'UPI', bank_account_id: BANK_ID, mandate_limit: 5000 },
  authoriseMandate: { mandate_id: MANDATE_ID, upi: { type: 'uri' }, payment_postback_url: POSTBACK },
  debitMandate: { mandate_id: MANDATE_ID, amc_order_ids: [OLD_ID] },

  createMfRedemptionPlan: PLAN,
  updateMfRedemptionPlan: { id: REDEMPTION_PLAN, consent: CONSENT, state: 'confirmed' },
  updateMfRedemptionPlanById: { consent: CONSENT, state: 'confirmed' },
  cancelMfRedemptionPlan: CANCELLATION,
  createMfRedemptionPlanSkipInstruction: SKIP,
  createMfPurchasePlan: PLAN,
  createMfPurchasePlans: { mf_purchase_plans: [PLAN] },
  updateMfPurchasePlan: { id: PURCHASE_PLAN, consent: CONSENT, state: 'confirmed' },
  updateMfPurchasePlanById: { consent: CONSENT, state: 'confirmed' },
  updateMfPurchasePlans: { mf_purchase_plans: [{ id: PURCHASE_PLAN, consent: CONSENT }] },
  cancelMfPurchasePlan: CANCELLATION,
  cancelMfPurchasePlanByBody: { id: PURCHASE_PLAN, ...CANCELLATION },
  pauseMfPurchasePlan: { installments: 2 },
  createMfPurchasePlanSkipInstruction: SKIP,

  createNotificationWebhook: ENDPOINT,
  updateNotificationWebhook: ENDPOINT,
  replayNotificationWebhook: {
    from: '2026-11-20T00:00:00+05:30',
    to: '2026-11-20T23:59:59+05:30',
    events: ['payment.*'],
  },

  createTenant: { name: 'example-invest', settings: { operator_name: 'Example Invest' } },
  updateTenantSettings: { display_name: 'Example Invest', rate_limits: { reads_per_second: 100 } },
  createTenantClient: { scope: '' },
  replaceHolidays: { year: 2049, dates: ['2049-01-26', '2049-08-15'], source: 'NSE circular of 2048-12-15' },
  simulatePayment: { status: 'SUCCESS' },
  simulateMandate: { status: 'PAUSED' },
  simulateOrder: { status: 'failed' },
  createSandboxFault: { target: 'gatewaypoa', operation: 'refund', kind: 'delay', times: 1, delay_ms: 2000 },
  moveSandboxClock: { advance: 'PT1H' },
};

/** Gives each operation its example. A reader fills a form by its fields, so each of them has its part. */
export function addExamples(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths))
    for (const operation of [item.post, item.put, item.patch]) {
      const example = REQUEST_EXAMPLES[operation?.operationId ?? ''];
      const body = operation?.requestBody;
      if (!example || !body || '$ref' in body) continue;
      const content = body.content['application/json'] ?? body.content['application/x-www-form-urlencoded'];
      if (!content) continue;
      content.example = example;
      const fields = content.schema && 'properties' in content.schema ? content.schema.properties : undefined;
      for (const [name, value] of Object.entries(example))
        if (fields?.[name]) Object.assign(fields[name], { example: value as unknown });
    }
}
