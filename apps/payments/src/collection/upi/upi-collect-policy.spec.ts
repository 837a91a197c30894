import { ApiError, type TenantFacts } from '@fundrail/contracts';
import { checkCollectAllowed, UPI_COLLECT_POLICY } from './upi-collect-policy.ts';

describe('the collect policy', () => {
  const settings: TenantFacts['settings'] = {
    ...{ sdk_options_enabled: false, upi_collect_enabled: false, payment_provider: 'GATEWAYPOA' },
    ...{ default_postback_url: null, operator_name: 'Operator', verify_endpoints: false },
    rate_limits: { reads_per_second: 1, writes_per_second: 1 },
    simulator: { hold_transfer: false, hold_review: false, hold_registrar: false },
  };
  const refusal = (upi_collect_enabled: boolean): unknown => {
    try {
      checkCollectAllowed({ ...settings, upi_collect_enabled });
      return null;
    } catch (error) {
      return error;
    }
  };

  it('has a name, a date, its source and the exemptions', () => {
    expect(UPI_COLLECT_POLICY).toMatchObject({
      name: 'npci_merchant_collect_ended',
      in_force_from: '2026-02-28',
      source: expect.stringContaining('https://razorpay.com/docs/announcements/upi-collect-migration/'),
      exempt_merchant_categories: ['6012', '6211'],
    });
  });

  it('allows a tenant whose operator has enabled it', () => {
    expect(refusal(true)).toBeNull();
  });

  it('refuses any other tenant with 422, and names the policy and its date', () => {
    const error = refusal(false);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: 'UPI_COLLECT_DISABLED',
      message: expect.stringMatching(/npci_merchant_collect_ended, in force from 2026-02-28/),
    });
  });
});
