import type { MfInvestmentAccountRow } from './mf-investment-account.table.ts';
import { changedMfInvestmentAccount, contactsOf } from './mf-investment-account.ts';

const account = (over: Partial<MfInvestmentAccountRow> = {}): MfInvestmentAccountRow => ({
  id: 'mfia_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  old_id: 1,
  tenant: 'demo',
  primary_investor: 'invp_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  holding_pattern: 'single',
  communication_email_address: null,
  communication_mobile_number: null,
  payout_bank_account: 'bac_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  further_defaults: null,
  created_at: new Date('2026-11-21T10:00:00Z'),
  ...over,
});
const profile = { email: 'asha@example.com', mobile_isd_code: '91', mobile_number: '9876543210' };

describe('the contacts with which a consent is compared (INV-12)', () => {
  it('are the profile’s if the account has none', () => {
    expect(contactsOf(account(), profile)).toEqual({
      email: 'asha@example.com',
      isd_code: '91',
      mobile: '9876543210',
    });
  });

  it('are the account’s own if it has some', () => {
    const own = account({
      communication_email_address: 'folio@example.com',
      communication_mobile_number: '9000000001',
    });
    expect(contactsOf(own, profile)).toEqual({
      email: 'folio@example.com',
      isd_code: null,
      mobile: '9000000001',
    });
  });

  it.each([
    ['the profile’s number without its code', '9876543210', { isd_code: '91', mobile: '9876543210' }],
    ['the profile’s number with its code', '+919876543210', { isd_code: '91', mobile: '9876543210' }],
    ['another Indian number', '+919000000001', { isd_code: '91', mobile: '9000000001' }],
    ['a number with an unclear dialling code', '+971501234567', { isd_code: null, mobile: '971501234567' }],
  ])('split %s', (_case, text, expected) => {
    expect(contactsOf(account({ communication_mobile_number: text }), profile)).toMatchObject(expected);
  });
});

describe('a change of folio defaults', () => {
  it('keeps absent fields and clears those that are null', () => {
    // given
    const row = account({ communication_mobile_number: '9876543210' });
    // when
    const changed = changedMfInvestmentAccount(row, { folio_defaults: { payout_bank_account: null } });
    // then
    expect(changed).toEqual({ ...row, payout_bank_account: null });
  });
});
