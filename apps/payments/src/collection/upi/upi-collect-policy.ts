import { ApiError, type TenantFacts } from '@fundrail/contracts';

/**
 * Why a collect request may be refused. NPCI ended collect requests from merchants for payments and for new Autopay registrations,
 * except for a few merchant categories. So a tenant can use them only when its operator has enabled them (FLOW-4, MAN-13).
 */
export const UPI_COLLECT_POLICY = {
  name: 'npci_merchant_collect_ended',
  in_force_from: '2026-02-28',
  source:
    'NPCI guidelines to UPI members, as announced by payment aggregators: ' +
    'https://razorpay.com/docs/announcements/upi-collect-migration/s2s-integration/ (read in November 2026)',
  /**
   * ISO 18245 codes of merchants that stay exempt: financial institutions, and security brokers, for IPO and secondary
   * market transactions. The announcement does not name mutual funds, which often have 6211 too. The operator and its acquirer
   * decide whether they count, so nothing here depends on the code alone.
   */
  exempt_merchant_categories: ['6012', '6211'],
  setting: 'upi_collect_enabled',
} as const;

/** Throws 422 UPI_COLLECT_DISABLED, naming the policy, for a tenant without the setting. */
export function checkCollectAllowed(settings: TenantFacts['settings']): void {
  if (settings[UPI_COLLECT_POLICY.setting]) return;
  const { name, in_force_from, setting } = UPI_COLLECT_POLICY;
  throw new ApiError(
    'UPI_COLLECT_DISABLED',
    `UPI collect requests are disabled for this tenant: ${name}, in force from ${in_force_from} (setting ${setting})`,
  );
}
