export {
  areInPeak,
  minutesOf,
  MOST_MARGIN_MINUTES,
  readWindows,
  type DebitWindow,
} from './autopay-windows.policy.ts';
export * from './choice-faults.ts';
export * from './consent-evidence.ts';
export * from './define-policy.ts';
export * from './describe-policy.ts';
export * from './judge.ts';
export * from './judgements.ts';
export type { NavOrder } from './nav-cut-off.policy.ts';
export { overridePolicies } from './override-policies.ts';
export * from './policies.ts';
export { SANDBOX_CHOICES } from './sandbox-choices.ts';
export type { TradedRedemption } from './redemption-payout.policy.ts';
export { retentionEnds } from './personal-data-retention.policy.ts';
export type { PlannedQuestion } from './upi-status-enquiry.policy.ts';
export { isValidatedHandle } from './validated-upi-handle.policy.ts';
