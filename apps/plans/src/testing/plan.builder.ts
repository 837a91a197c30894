import { Decimal, type MandateFacts } from '@fundrail/contracts';

/** Monday, 21 December 2026, 10:00 IST. */
export const NOW = new Date('2026-12-21T10:00:00.000+05:30');
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
export const ACCOUNT = `mfia_${'a'.repeat(32)}`;
export const INVESTOR = `invp_${'a'.repeat(32)}`;
export const CONTACTS = { email: 'asha.rao@example.com', isd_code: '91', mobile: '9800012345' };
export const CONSENT = { email: 'asha.rao@example.com', isd_code: '91', mobile: '9800012345' };
/** Approved, the investor's, ₹5,000. */
export const MANDATE = 1001;

/** The body of a creation with valid defaults: ₹1,001 on the 5th, 12 times. */
export function aPlanBody(changes: object = {}): object {
  return {
    mf_investment_account: ACCOUNT,
    scheme: 'INF846K01EW2',
    systematic: true,
    frequency: 'monthly',
    installment_day: 5,
    number_of_installments: 12,
    amount: 1001,
    folio_number: '91047558203',
    consent: CONSENT,
    ...changes,
  };
}

export function aMandate(changes: Partial<MandateFacts> = {}): MandateFacts {
  return {
    id: MANDATE,
    tenant: 'demo',
    mandate_ref: `man_${'1'.repeat(32)}`,
    mandate_type: 'UPI',
    mandate_status: 'APPROVED',
    mandate_limit: Decimal.parse('5000'),
    valid_from: '2026-01-01',
    valid_to: '2055-12-31',
    bank_account_id: 7,
    investor_profile: INVESTOR,
    provider_name: 'GATEWAYPOA',
    mandate_token: 'tok_1',
    umrn: null,
    provider_id: null,
    ...changes,
  };
}
