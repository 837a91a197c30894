import { autopayAfaLimit } from './autopay-afa-limit.policy.ts';
import { autopayWindows } from './autopay-windows.policy.ts';
import { debitOptOut } from './debit-opt-out.policy.ts';
import { mandateModification } from './mandate-modification.policy.ts';
import { mandateSubscriptionsOnly } from './mandate-subscriptions-only.policy.ts';
import { mandateValidity } from './mandate-validity.policy.ts';
import { nachDebitDays } from './nach-debit-days.policy.ts';
import { navCutOff } from './nav-cut-off.policy.ts';
import { personalDataRetention } from './personal-data-retention.policy.ts';
import { preDebitNotice } from './pre-debit-notice.policy.ts';
import { redemptionPayout } from './redemption-payout.policy.ts';
import { sipAutoCancellation } from './sip-auto-cancellation.policy.ts';
import { thirdPartyPayment } from './third-party-payment.policy.ts';
import { twoFactorConsent } from './two-factor-consent.policy.ts';
import { upiCollect } from './upi-collect.policy.ts';
import { upiDailyLimit } from './upi-daily-limit.policy.ts';
import { upiPerTransactionLimit } from './upi-per-transaction-limit.policy.ts';
import { upiStatusEnquiry } from './upi-status-enquiry.policy.ts';
import { validatedUpiHandle } from './validated-upi-handle.policy.ts';

/** Every policy, by its name. `docs/policies.md` is generated from this table. */
export const POLICIES = {
  upi_per_transaction_limit: upiPerTransactionLimit,
  upi_daily_limit: upiDailyLimit,
  upi_collect: upiCollect,
  validated_upi_handle: validatedUpiHandle,
  autopay_afa_limit: autopayAfaLimit,
  autopay_windows: autopayWindows,
  pre_debit_notice: preDebitNotice,
  debit_opt_out: debitOptOut,
  mandate_modification: mandateModification,
  mandate_validity: mandateValidity,
  mandate_subscriptions_only: mandateSubscriptionsOnly,
  nach_debit_days: nachDebitDays,
  third_party_payment: thirdPartyPayment,
  two_factor_consent: twoFactorConsent,
  nav_cut_off: navCutOff,
  redemption_payout: redemptionPayout,
  upi_status_enquiry: upiStatusEnquiry,
  sip_auto_cancellation: sipAutoCancellation,
  personal_data_retention: personalDataRetention,
} as const;
export type PolicyName = keyof typeof POLICIES;
