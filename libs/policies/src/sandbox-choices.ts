import type { Choice } from './define-policy.ts';
import type { PolicyName } from './policies.ts';

/**
 * What a new tenant of the sandbox has chosen (ADMIN-7). It plays a merchant that its bank has verified and that may send collect requests,
 * and all tests may pay from its one bank account.
 */
export const SANDBOX_CHOICES: Readonly<Partial<Record<PolicyName, Choice>>> = {
  upi_per_transaction_limit: { verified_merchant: true },
  upi_daily_limit: { check: 'off' },
  upi_collect: { exemption: 'mcc_6012' },
  validated_upi_handle: { mode: 'require' },
};
